// The default catalogue. A text that the specification gives in English stands here in English: it is verbatim.
export const ru = {
  // What any call may answer
  'error.not_found': 'Not found',
  'error.forbidden': 'Forbidden',
  'error.no_token': 'No token provided',
  'error.bad_token': 'Failed to authenticate token',
  'error.invalid': 'Проверьте введённые данные: {fields}',
  'error.invalid_value': 'Недопустимое значение',
  'error.required': 'Обязательное поле',
  'error.too_long': 'Слишком длинное значение',
  'error.characters': 'Недопустимые символы',
  'error.json': 'Тело запроса – не JSON: {reason}',
  'error.too_large': 'Слишком большой запрос: не больше {limit}',
  'error.wrong_type': 'Неверный Content-Type: нужен {expected}',
  'error.too_many': 'Слишком много попыток. Повторите через {seconds} с',
  'error.method': 'Метод не поддерживается: {allowed}',
  'error.host': 'Неизвестный адрес сервера: {host}. Укажите его в SEO_ADMIN_PUBLIC_URL',
  'error.cross_site': 'Запрос с чужого сайта отклонён',
  'error.unknown_reference': 'Unknown {field}',
  'error.internal': 'Внутренняя ошибка. Номер: {id}',
  'error.database': 'База данных не отвечает. Повторите позже',
  'error.queue_full': 'Слишком много одновременных записей. Повторите позже',
  'error.storage_full': 'Закончилось место на диске: освободите место и повторите',

  // Users and sessions
  'login.failed': 'Invalid login or password',
  'user.login_empty': 'Введите логин',
  'user.login_taken': 'Логин уже занят: {login}',
  'user.unknown': 'Пользователь не найден: {login}',
  'user.last_admin': 'Это последний администратор: сначала создайте другого',
  'user.password_short': 'Пароль должен содержать не меньше 10 символов',
  'user.telegram': 'Имя в Telegram: латинские буквы, цифры и _, до 32 символов',
  'setup.invalid': 'Ссылка устарела или уже использована. Новая: seo-admin setup-link',

  // Projects
  'project.name_empty': 'Введите название проекта',
  'project.deleted': 'Проект удалён',
} as const;

export type Key = keyof typeof ru;

/** Keywords and positions: what the server and the command line say. */
export const keywords = {
  'keyword.empty': 'Введите ключевое слово',
  'keyword.taken': 'Такое ключевое слово в проекте уже есть',
  'keyword.repeated': 'Повтор в этом списке',
  'keyword.many': 'За один раз добавляется не больше {most} ключевых слов',
  'keyword.deleted': 'Ключевое слово удалено: {keyword}',
  'keyword.unknown': 'В проекте нет ключевого слова {keyword}',
  'keyword.target_invalid': 'Адрес страницы должен начинаться с http:// или https://',
  'keyword.tag_empty': 'Метка не может быть пустой',
  'keyword.tags_many': 'Не больше 20 меток',
  'positions.region_invalid': 'Регион – это номер: lr Яндекса, страна или место Google',
  'positions.no_account': 'Нет аккаунта XMLRiver или Arsenkin: добавьте его, чтобы снимать позиции',
  'positions.no_money': 'На аккаунте XMLRiver «{name}» закончились деньги',
  'positions.account_refused': 'XMLRiver не принимает аккаунт «{name}»',
  'positions.some_open': 'Часть ключевых слов не снята',
  'positions.cap': 'Дневной лимит запросов проекта исчерпан: {cap}',
  'positions.no_keywords': 'В проекте нет ключевых слов',
  'positions.started': 'Снимаются позиции: {project}',
  'positions.finished': 'Снято ключевых слов: {done}, не снято: {failed}',
  'positions.open': 'Не сняты: {keywords}',
  'positions.requested': 'Запрос отправлен. Обновление позиций может занять некоторое время',
  'positions.saved': 'Настройки позиций сохранены',
  'positions.no_xmlriver':
    'Проект читается через XMLRiver, а аккаунта там нет: добавьте его или выберите другой сервис',
  'positions.no_arsenkin':
    'Проект читается через Arsenkin, а аккаунта там нет: добавьте его или выберите другой сервис',
};

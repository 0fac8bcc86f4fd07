/**
 * What `--help` says. A catalogue of its own, and alone in its file: help starts in a few milliseconds more than Node
 * because nothing else is loaded for it.
 */
export const ru = {
  about: 'seo-admin – портфель доменов: что заблокировано, что не отвечает, что истекает.',
  help_flag: 'эта справка',
  version: 'версия',
  data_dir: 'папка данных (SEO_ADMIN_DATA_DIR)',
  as: 'от чьего имени действовать; иначе – от имени сервера, с правами администратора',
  json: 'один документ JSON в stdout, и при ошибке тоже',
  csv: 'CSV с заголовком',
  format: 'вид ответа: human, plain, json, ndjson, csv, tsv',
  lang: 'язык: ru, en (SEO_ADMIN_LANG)',
  quiet: 'в stderr только ошибки',
  no_color: 'без цвета',
  no_input: 'ни о чём не спрашивать: где нужен ответ – код 2',
  yes: 'не переспрашивать',
  password_stdin: 'пароль из стандартного ввода',
  password_file: 'пароль из файла',

  title_examples: 'Примеры',
  title_usage: 'Использование',
  title_arguments: 'Аргументы',
  title_commands: 'Команды',
  title_flags: 'Флаги',
  title_exits: 'Коды выхода',
  usage_flags: '[флаги]',
  usage_command: '[команда]',
  common_flags: 'Общие флаги (--json, --csv, --data-dir, --as, …): seo-admin --help',

  'root.examples': `$ npx seo-admin serve
$ seo-admin check blocked --all --fail-on-blocked
$ seo-admin domain list --status broken --json`,
  'root.exits': `0 готово · 1 не вышло или отказ · 2 ошибка в команде · 3 найдено то, о чём спрашивал --fail-on… · 4 не настроено или нельзя
5 часть не вышла · 6 внешний сервис недоступен · 75 уже выполняется · 130/143 прервано`,

  serve: 'запустить веб-интерфейс и API',
  'serve.examples': `$ seo-admin serve
$ seo-admin serve --port 0 --no-scheduler
$ seo-admin serve --host 0.0.0.0            # сначала: seo-admin help hosting`,
  'serve.host': 'на каком адресе слушать',
  'serve.port': 'порт; 0 – любой свободный',
  'serve.scheduler': 'без проверок по расписанию',
  'serve.open': 'открыть браузер',

  user: 'пользователи',
  'user create': 'создать пользователя',
  'user list': 'все пользователи',
  'user passwd': 'сменить пароль; все входы пользователя закончатся',
  'user disable': 'закрыть вход',
  'user.login': 'логин',
  'user.role': 'роль',
  'user.telegram': 'имя в Telegram',
  'user create.examples': `$ seo-admin user create --login admin --role admin
$ printf '%s' "$PW" | seo-admin user create --login ivan --telegram ivan_seo --password-stdin --json`,
  'user passwd.examples': `$ seo-admin user passwd ivan
$ seo-admin user passwd ivan --password-file /run/secrets/pw`,

  help: 'справка по команде или теме: hosting, cron, exit-codes, environment',
  'help.words': 'команда или тема',
  'topic.hosting': 'TODO',
  'topic.cron': 'TODO',
  'topic.exit-codes': 'TODO',
  'topic.environment': 'TODO',
} as const;

export type HelpTexts = Record<keyof typeof ru, string>;

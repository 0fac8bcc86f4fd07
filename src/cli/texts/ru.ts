/**
 * Texts of `--help`. A catalogue of its own, one language a file: help starts little slower than Node does because
 * nothing else is loaded for it.
 */
export const ru = {
  about: 'seo-admin – портфель доменов: что заблокировано, что не отвечает, что истекает.',
  help_flag: 'эта справка',
  version: 'версия',
  data_dir: 'папка данных (SEO_ADMIN_DATA_DIR)',
  on_demo: 'работать с запущенным демо, его данными и его сервисами',
  as: 'от чьего имени; иначе – от имени сервера, с правами администратора',
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
  names: 'имена доменов; «-» – стандартный ввод',
  file: 'имена из файла: через пробел, запятую, «;» или с новой строки; # – комментарий',
  all: 'все домены портфеля',
  of_project: 'домены проекта: название или номер',
  by_status: 'только: all, active, blocked, broken, expired',
  dry_run: 'показать, что было бы сделано, и ничего не делать',
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
5 часть не вышла · 6 внешний сервис недоступен · 75 уже выполняется · 129/130/143 прервано`,
  serve: 'запустить веб-интерфейс и API',
  'serve.examples': `$ seo-admin serve
$ seo-admin serve --port 0 --no-scheduler
$ seo-admin serve --host 0.0.0.0            # сначала: seo-admin help hosting
$ seo-admin serve --print-systemd | sudo tee /etc/systemd/system/seo-admin.service`,
  'serve.host': 'на каком адресе слушать',
  'serve.port': 'порт; 0 – любой свободный',
  'serve.scheduler': 'без проверок по расписанию',
  'serve.open': 'открыть браузер',
  'serve.demo': 'на примере: придуманный портфель и придуманные сервисы, своя база рядом с настоящей',
  'serve.demo_size': 'сколько доменов в примере; другое число – пример заново',
  'serve.demo_freeze': 'пример для снимков: без расписания, всегда с одного и того же дня',
  'serve.print_systemd': 'вывести юнит systemd, который выполняет именно эту команду, и закончить',
  worker: 'только фоновая работа: операции, расписание, уведомления; для других процессов на тех же данных',
  'worker.only':
    'только эта работа: checks – проверки, dns – зоны, sites – сайты, transfers – переезды, purchases – покупки, positions – позиции, schedule – расписание, notices – уведомления, bot – бот; остальная достанется другим процессам',
  'worker.metrics_port': 'отвечать на /livez, /readyz и /metrics на этом порту; 0 – свободный',
  'worker.metrics_host': 'адрес этого порта',
  'worker.print_systemd': 'вывести юнит systemd, который выполняет именно эту команду, и закончить',
  'worker.examples': `$ DATABASE_URL=postgres://… seo-admin worker
$ seo-admin worker --only checks,positions
$ seo-admin worker --print-systemd | sudo tee /etc/systemd/system/seo-admin-worker.service`,
  demo: 'пример, который открывает serve --demo',
  'demo reset': 'забыть пример: следующий serve --demo начнёт заново',
  init: 'подготовить папку данных и первого администратора',
  'init.examples': `$ seo-admin init
$ seo-admin init --admin-login admin --admin-password-file /run/secrets/pw   # повторно – ничего не меняет`,
  'init.login': 'логин первого администратора',
  'setup-link': 'новая одноразовая ссылка для первого администратора',
  'setup-link.url': 'адрес, по которому открыт сервер',
  user: 'пользователи',
  'user create': 'создать пользователя',
  'user list': 'все пользователи',
  'user passwd': 'сменить пароль; все входы, токены API, ключи доступа, адрес календаря и привязка Telegram закончатся',
  'user disable': 'закрыть вход',
  'user enable': 'снова открыть вход',
  'user role': 'сменить роль; все входы пользователя закончатся',
  'user reset-second-factor': 'снять второй фактор: войти можно будет с одним паролем',
  token: 'токены API',
  'token list': 'токены пользователя из --as, без --as – всех',
  'token create': 'создать токен и напечатать его один раз; без --as – первого администратора',
  'token revoke': 'отозвать токен',
  'token.name': 'название',
  'token.scope': 'доступ: read, write, admin',
  'token.days': 'срок в днях, от 1 до 365',
  'token.never': 'без срока, только для администраторов',
  'token.id': 'номер',
  'token create.examples': `$ seo-admin token create nightly --scope write --as ivan > token
$ curl -H "Authorization: Bearer $(cat token)" http://127.0.0.1:4180/api/session`,
  'user.login': 'логин',
  'user.role': 'роль: admin, user',
  'user.telegram': 'имя в Telegram',
  'user create.examples': `$ seo-admin user create --login admin --role admin
$ printf '%s' "$PW" | seo-admin user create --login ivan --telegram ivan_seo --password-stdin --json`,
  'user passwd.examples': `$ seo-admin user passwd ivan
$ seo-admin user passwd ivan --password-file /run/secrets/pw`,
  check: 'проверить домены',
  'check blocked':
    'проверить домены по реестру блокировок; у доменов портфеля (--all, --project) результат сохраняется',
  'check blocked.examples': `$ seo-admin check blocked a.ru b.com
$ cat domains.txt | seo-admin check blocked - --json | jq -r '.items[]|select(.status=="blocked").domain'
$ seo-admin check blocked --all --fail-on-blocked --quiet`,
  'check blocked.exits': `0 проверено · 3 найдены заблокированные (с --fail-on-blocked) · 4 списка нет или он старше 72 часов: всё unknown
5 часть имён неверна или результат ждёт решения (--accept) · 75 такая проверка уже идёт`,
  'check http': 'спросить сайты по HTTP; у доменов портфеля результат сохраняется',
  'check http.examples': `$ seo-admin check http a.ru b.com --timeout 5
$ seo-admin check http --all --quiet
$ seo-admin check http --project Вулкан --no-follow --csv`,
  'check http.exits':
    '0 проверено: и код 500, и «нет ответа» – это ответ · 5 часть имён неверна или спросить не удалось · 75 такая проверка уже идёт',
  'check expiry':
    'до какого числа зарегистрированы домены: от регистратора, иначе от реестра; у доменов портфеля результат сохраняется',
  'check expiry.examples': `$ seo-admin check expiry a.ru b.com
$ seo-admin check expiry --all --quiet
$ seo-admin check expiry --status expired --csv`,
  'check expiry.exits':
    '0 проверено · 5 часть имён неверна или про них никто не ответил · 6 не ответил никто · 75 такая проверка уже идёт',
  'check index': 'есть ли домены в индексе Яндекса и Google; без имён – все основные',
  'check all': 'проверки портфеля по очереди: доступность, реестр блокировок, сроки регистрации',
  'check all.examples': '$ seo-admin check all --fail-on-blocked --quiet',
  'check history': 'что находили проверки домена: сколько подряд одно и то же, с какого времени по какое',
  'check history.examples': `$ seo-admin check history example.com
$ seo-admin check history example.com --days --csv`,
  'check.days': 'по дням: проверки, доля ответов 2xx, обычное и худшее время ответа',
  'check.fail_on_blocked': 'код 3, если есть заблокированные',
  'check.index_dry_run': 'только показать, о каких доменах спросить и сколько нужно платных запросов',
  'check.redirects_dry_run': 'только показать, какие имена были бы опрошены',
  'check.accept': 'сохранить результат, который ждёт решения: блокирует больше 20 % портфеля сразу',
  'check.scheme': 'auto (https, а где TLS нет – http), https, http',
  'check.follow': 'не идти по перенаправлениям',
  'check.timeout': 'сколько ждать ответа, с',
  'check.concurrency': 'сколько сайтов сразу',
  domain: 'домены портфеля',
  'domain list': 'список доменов',
  'domain list.examples': `$ seo-admin domain list
$ seo-admin domain list --status expired --project 3 --csv`,
  'domain add': 'добавить домены',
  'domain add.examples': `$ seo-admin domain add a.ru b.com --project Вулкан --type transfer
$ seo-admin domain add --file domains.txt`,
  'domain show': 'всё о домене',
  'domain remove': 'убрать домены; 30 дней их можно вернуть',
  'domain set': 'дать многим доменам проект, режим, сервер, аккаунт CDN',
  'domain set.examples': `$ seo-admin domain set a.ru b.com --server srv-2 --dry-run
$ seo-admin domain set --filter status=blocked,project=Вулкан --mode manual --yes
$ seo-admin domain set --file domains.txt --project none`,
  'domain remove.examples': `$ seo-admin domain remove a.ru b.com
$ seo-admin domain remove --filter project=Вулкан,status=expired --dry-run`,
  'domain undo': 'вернуть то, что изменил domain set или domain remove',
  'domain.undo_id': 'номер из ответа той команды (undo)',
  'domain.names': 'имена через запятую',
  'domain.filter':
    'домены по фильтру: all или поле=значение через запятую; поля status, project, server, registrar, type, search, expiry, expires-from, expires-to',
  'domain.set_project': 'проект: название или номер; none – без проекта',
  'domain.set_mode': 'режим переноса: auto, manual',
  'domain.set_server': 'сервер: название или номер; none – без сервера',
  'domain.set_account': 'аккаунт CDN: название или номер; none – без аккаунта',
  'domain renew': 'продлить домены на год у их регистраторов, через лимиты покупок',
  'domain import': 'загрузить CSV или TSV, в том числе из Excel',
  'domain import.examples': `$ seo-admin domain import portfolio.csv --dry-run
$ seo-admin domain import portfolio.csv --mode overwrite`,
  'domain export': 'выгрузить портфель',
  'domain export.examples': `$ seo-admin domain export > portfolio.csv
$ seo-admin domain export --delimiter semicolon --bom > excel.csv`,
  'domain.type': 'тип: main, transfer',
  'domain.search': 'часть имени или проекта',
  'domain.into': 'проект: название или номер',
  'domain.name': 'имя домена',
  'domain.import_file': 'файл; «-» – стандартный ввод',
  'domain.mode': 'домены, которые уже есть: skip, fill, overwrite',
  'domain.delimiter': 'comma или semicolon',
  'domain.bom': 'с меткой UTF-8, для Excel',
  project: 'проекты',
  'project list': 'все проекты',
  'project create': 'создать проект',
  'project rename': 'переименовать проект',
  'project remove': 'удалить проект; его домены останутся',
  'project.name': 'название',
  'project.new_name': 'новое название',
  'project.which': 'название или номер',
  key_stdin: 'ключ или токен из стандартного ввода',
  key_file: 'ключ или токен из файла',
  token_stdin: 'токен из стандартного ввода',
  token_file: 'токен из файла',
  'team.name': 'название',
  'team.new_name': 'новое название',
  'team.which': 'название или номер',
  // For a kind of account that has none of its own.
  account: 'аккаунты',
  'account list': 'все; секреты не показываются',
  'account add': 'добавить',
  'account edit': 'изменить; что не указано, остаётся',
  'account remove': 'удалить, если никто не пользуется',
  'account test': 'проверить вход: указанных или всех',
  'account.all': 'все',
  cloudflare: 'аккаунты Cloudflare',
  'cloudflare list': 'все аккаунты; ключи не показываются',
  'cloudflare add': 'добавить аккаунт и проверить его ключ',
  'cloudflare edit': 'изменить аккаунт; что не указано, остаётся',
  'cloudflare remove': 'удалить аккаунт, которым никто не пользуется',
  'cloudflare test': 'проверить ключи: указанных аккаунтов или всех',
  'cloudflare.email': 'e-mail для глобального ключа; для API-токена не нужен',
  'cloudflare.account_id': 'аккаунт Cloudflare для новых зон, если ключу видно несколько',
  'cloudflare add.examples': `$ seo-admin cloudflare add Main --email me@example.com --key-file key.txt
$ seo-admin cloudflare add Second --key-stdin < token.txt`,
  group: 'группы аккаунтов Cloudflare',
  'group list': 'все группы',
  'group add': 'создать группу',
  'group edit': 'изменить группу; --account задаёт весь состав',
  'group remove': 'удалить группу; её аккаунты останутся',
  'group test': 'проверить ключи аккаунтов группы',
  'group.account': 'аккаунты: названия или номера',
  registrar: 'регистраторы',
  'registrar list': 'все регистраторы; пароли не показываются',
  'registrar add': 'добавить регистратора и проверить вход',
  'registrar edit': 'изменить регистратора; тип остаётся',
  'registrar remove': 'удалить регистратора, которым никто не пользуется',
  'registrar test': 'проверить вход: указанных регистраторов или всех',
  'registrar domains': 'домены у регистратора и их сроки, сейчас',
  'registrar.all': 'все регистраторы',
  'registrar.type': 'reghouse.ru, expired.ru, reg.ru, namecheap.com или porkbun.com',
  'registrar.login': 'логин или ключ',
  'registrar.base_url': 'адрес API (reghouse.ru)',
  'registrar.contact': 'контакт, как он назван у регистратора (reghouse.ru, namecheap.com)',
  'registrar.profile_type': 'тип профиля, например RU.PP (reg.ru)',
  'registrar.profile_name': 'имя профиля (reg.ru)',
  'registrar.client_ip': 'адрес этого сервера в списке разрешённых (reg.ru, namecheap.com)',
  'registrar.sandbox': 'on – песочница (namecheap.com)',
  'registrar.price': 'цена имени в год (reghouse.ru)',
  'registrar.highest_price': 'дороже не покупать',
  xmlriver: 'аккаунты XMLRiver: позиции и индексация',
  'xmlriver test': 'проверить вход и обновить баланс: указанных или всех',
  'xmlriver.login': 'user_id аккаунта',
  arsenkin: 'аккаунты Arsenkin: позиции и индексация заданиями',
  'arsenkin test': 'проверить вход и обновить остаток лимитов: указанных или всех',
  keyword: 'ключевые слова проекта',
  'keyword list': 'все ключевые слова проекта',
  'keyword add': 'добавить ключевые слова: перечисленные или из файла, по одному в строке',
  'keyword remove': 'удалить ключевые слова со всеми их позициями',
  'keyword.project': 'проект: название или номер',
  'keyword.words': 'ключевые слова; - – стандартный ввод',
  'keyword.file': 'файл с ключевыми словами, по одному в строке, # начинает комментарий; - – стандартный ввод',
  position: 'позиции в поиске',
  'position fetch': 'снять позиции проекта: стоит денег, спрашивает заранее',
  'position show': 'позиции проекта за последние дни',
  'position.engine': 'yandex или google; без него обе системы',
  'position.wait': 'дождаться конца; без него операцию выполнит сервер',
  'position.days': 'за сколько дней',
  'position.dry_run': 'сказать, сколько платных запросов нужно самое большее и почём; ничего не снимать',
  'position.fail_on_drop':
    'код 3, если между прошлой проверкой запроса и проверкой последнего дня потеряно столько мест или больше; без проверки потери нет',
  server: 'серверы',
  'server list': 'все серверы; пароли не показываются',
  'server add': 'добавить сервер',
  'server edit': 'изменить сервер; с новым хостом нужен и пароль',
  'server remove': 'удалить сервер, которым никто не пользуется',
  'server test': 'проверить SSH: указанных серверов или всех',
  'server accept-key': 'принять новый ключ хоста, который показал сервер; только администратор',
  'server keep-key': 'оставить прежний ключ хоста; только администратор',
  'server.all': 'все серверы',
  'server.key': 'ключ целиком, как его показывает server list: «ssh-ed25519 SHA256:…»',
  'server.host': 'IP-адрес или имя хоста, с портом SSH через двоеточие, если он не 22',
  'server.user': 'пользователь SSH',
  site: 'сайты доменов на серверах',
  'site deploy': 'развернуть сайт домена: файлы шаблона с текстом страницы – на его сервер',
  'site deploy.examples': `$ seo-admin site deploy example.com --template Promo --html page.html --dry-run
$ seo-admin site deploy example.com --template Promo --html page.html --yes
$ seo-admin site deploy example.com --yes             # то, что сохранено, ещё раз`,
  'site deploy.exits': `0 развёрнут или уже был таким · 1 отказ · 6 сервер не отвечает · 75 с этим сайтом уже что-то делают`,
  'site show': 'из чего сделан сайт домена и какая его версия развёрнута',
  'site.template': 'шаблон: название или номер; без него – прежний',
  'site.html': 'файл .html или .htm с текстом; без него – прежний',
  template: 'шаблоны сайтов',
  'template list': 'все шаблоны',
  'template add': 'добавить шаблон: ZIP, в корне которого index.html',
  'template edit': 'изменить шаблон; что не указано, остаётся',
  'template remove': 'удалить шаблон, которым никто не пользуется',
  'template scan': 'показать файлы и подстановки шаблона или ZIP, который ещё не добавлен',
  'template download': 'сохранить ZIP шаблона',
  'template.file': 'файл ZIP',
  'template.name': 'название; без него – имя файла',
  'template.scanned': 'файл ZIP либо название или номер шаблона',
  'template.output': 'куда сохранить; без этого – под именем загруженного файла, если такого ещё нет',
  'template add.examples': `$ seo-admin template add promo.zip
$ seo-admin template add --name Promo --file promo.zip --dry-run`,
  dns: 'записи DNS',
  'dns list': 'все записи зоны домена',
  'dns set': 'направить домен на сервер через аккаунт Cloudflare',
  'dns set.examples': `$ seo-admin dns set example.com --account Main --server srv --dry-run
$ seo-admin dns set example.com --account Main --server srv --tls on --yes`,
  'dns apply': 'сделать записи зоны такими, как в файле: чего в нём нет, удаляется; MX, NS и другие остаются',
  'dns apply.examples': `$ seo-admin dns list example.com --json > records.json
$ seo-admin dns apply example.com --file records.json --dry-run`,
  'dns.account': 'аккаунт Cloudflare: название или номер',
  'dns.server': 'сервер: название или номер',
  'dns.tls': 'TLS 1.3: on, off (без флага – off)',
  'dns.update_ns': 'сказать, какие NS указать у регистратора',
  'dns.file': 'JSON из dns list --json или строки, как в файле зоны; «-» – стандартный ввод',
  'dns.override': 'подтвердить файл, который мало что оставит: пустой или удаляющий больше 30 % от десяти и более',
  rules: 'правила страниц и перенаправления',
  'rules list': 'правила зоны домена',
  'rules attach': 'прикрепить домены: каждый ведёт на главный',
  'rules attach.examples': `$ seo-admin rules attach main.com a.com b.com --account Main --server srv --dry-run
$ seo-admin rules attach main.com --file domains.txt --account Main --server srv --yes`,
  'rules remove': 'удалить правило; operation restore его вернёт',
  'rules.main': 'домен, на который они ведут',
  'rules.rule': 'номер правила, как в rules list',
  transfer: 'перенос сайтов на резервные домены',
  'transfer plan': 'показать, что изменит перенос и насколько готов резервный домен; ничего не меняет',
  'transfer plan.examples': `$ seo-admin transfer plan old.com new.com
$ seo-admin transfer plan old.com              # с тем резервным, который был бы выбран`,
  'transfer run': 'перенести сайт с основного домена на резервный того же проекта',
  'transfer run.examples': `$ seo-admin transfer run old.com new.com --dry-run
$ seo-admin transfer run old.com new.com --yes`,
  'transfer run.exits':
    '0 перенесён · 1 не перенесён, всё возвращено · 6 внешний сервис не отвечает · 75 с доменом уже что-то делают',
  'transfer history': 'переезды, в которых участвовал домен',
  'transfer.source': 'основной домен',
  'transfer.target': 'резервный домен того же проекта',
  'transfer.picked': 'резервный домен; без него – тот, который был бы выбран',
  'transfer.confirm_site': 'на резервном домене тот сайт, хотя программе это не видно: отпечаток страницы из плана',
  'transfer.force': 'взять резервный домен, который заблокирован, и позволить удалить много записей DNS',
  'transfer auto': 'перенести заблокированные основные домены на готовые резервы',
  'transfer auto.examples': `$ seo-admin transfer auto --project Вулкан --dry-run
$ seo-admin transfer auto --all --yes --json   # для cron: только то, что подтвердили три наблюдения`,
  'transfer.auto_project': 'все заблокированные основные домены проекта: название или номер',
  'transfer.auto_all': 'во всех проектах то, что переносится само: по трём наблюдениям и в пределах суточных лимитов',
  'transfer.auto_last': 'занять и последний резерв проекта',
  protect: 'защита многих доменов сразу',
  'protect under-attack': 'режим Under Attack; выключение возвращает каждой зоне прежний уровень',
  'protect under-attack.examples': `$ seo-admin protect under-attack enable --all --dry-run
$ seo-admin protect under-attack disable example.com --yes`,
  'protect tls': 'TLS 1.3',
  'protect tls.examples': '$ seo-admin protect tls off --project Вулкан --yes',
  'protect.action': 'enable, disable',
  'protect.state': 'on, off',
  'check redirects': 'пройти по перенаправлениям сайтов, шаг за шагом',
  'check redirects.examples': `$ seo-admin check redirects a.ru b.com
$ seo-admin check redirects --all --json`,
  name: 'имена для покупки',
  'name check': 'проверить имена по правилам',
  'name check.examples': `$ seo-admin name check casino-1.ru 'плохое имя.рф'`,
  'name check-template': 'проверить шаблон имён',
  'name generate': 'придумать имена по шаблону',
  'name generate.examples': `$ seo-admin name generate '{casino|kazino}-{play|win}{1|2|3}.{ru|com}' --count 20 --unique
$ seo-admin name generate '{a|b}{1|2}.ru' --count 4 --unique | seo-admin check blocked -`,
  'name.template': 'шаблон: {a|b} – один из, [+sep+a|b] – все в любом порядке',
  'name.count': 'сколько имён',
  'name.unique': 'без повторов',
  'name.seed': 'для одного числа – одни и те же имена',
  blocklist: 'реестр блокировок',
  'blocklist update': 'загрузить список',
  'blocklist update.examples': `$ seo-admin blocklist update
$ seo-admin blocklist update --file dump.csv.gz`,
  'blocklist.accept': 'взять список, как бы он ни отличался от прежних',
  'blocklist accept': 'применить список, который ждёт решения',
  'blocklist rollback': 'вернуть прежний список; тот, что он заменит, больше не берётся',
  'blocklist status': 'откуда список, сколько ему, сколько в нём записей',
  'blocklist.file': 'из файла: z-i (windows-1251), список имён, JSON, XML; можно .gz',
  'blocklist.url': 'с адреса, а не из BLOCKLIST_URL',
  operation: 'долгие работы',
  'operation list': 'последние работы',
  'operation list.examples': '$ seo-admin operation list --state partial --json',
  'operation show': 'одна работа: ход, шаги и что не вышло',
  'operation resume': 'продолжить работу здесь: что не вышло, осталось или ждёт в очереди; сделанное не повторяется',
  'operation resume.examples': `$ seo-admin operation resume 12 --dry-run
$ seo-admin operation resume 12 --yes`,
  'operation resume.exits':
    '0 сделано всё · 1 не вышло ничего или нечего продолжать · 3 найдено то, о чём спрашивал --fail-on… · 5 часть не вышла · 75 работа идёт в другом процессе · 129/130/143 остановлено, продолжить той же командой',
  'operation cancel': 'остановить работу; сделанное остаётся',
  'operation restore': 'вернуть то, что было до работы; изменённое с тех пор не трогается',
  'operation restore.examples': `$ seo-admin operation restore 12 --dry-run
$ seo-admin operation restore 12 --yes`,
  'operation.id': 'номер',
  'operation.limit': 'сколько работ',
  'operation.offset': 'сколько работ пропустить',
  'operation.state': 'состояние',
  db: 'база данных',
  'db migrate': 'обновить базу; перед этим делается копия backups/before-…',
  'db.no_backup': 'без копии перед обновлением',
  'db backup': 'копия базы; сервер при этом может работать',
  'db backup.examples': '$ seo-admin db backup "/backup/seo-$(date +%F).sqlite" --quiet',
  'db restore': 'вернуть базу из копии; прежняя останется рядом. Сервер должен быть остановлен',
  'db drill': 'восстановить копию рядом и сверить: целостность и строки. База не трогается',
  'db drill.examples': `$ seo-admin db drill
$ seo-admin db drill /backup/seo-2026-11-25.sqlite --json
$ seo-admin db drill --copies`,
  'db drill.exits': '0 копия проверена · 1 её нет, она повреждена или отличается · 6 мало места',
  'db.drill_copies': 'вернуть последнюю копию из каждого места и восстановить её',
  'db.drill_file': 'файл копии; без него – последняя копия расписания',
  'db status': 'размер, целостность, обновления, сколько строк',
  'db copy': 'скопировать всё в другую, пустую базу: из SQLite в PostgreSQL или обратно. Сервер должен быть остановлен',
  'db copy.examples': `$ seo-admin db copy postgres://seo@db.example/seo --password-file pw.txt --dry-run
$ seo-admin db copy postgres://seo@db.example/seo --password-file pw.txt
$ DATABASE_URL=postgres://… seo-admin db copy sqlite:back.sqlite`,
  'db copy.exits':
    '0 скопировано и сверено · 1 новая база не пуста или строка отличается · 4 база не обновлена или ключ другой · 6 сервер не отвечает · 75 база занята',
  'db.address': 'postgres://логин@хост/имя без пароля или sqlite:файл',
  'db.file': 'файл копии; рядом с ним – .sha256 и, с паролем, .key.sealed',
  'db.passphrase_file': 'запечатать ключ рядом паролем из файла (или SEO_ADMIN_BACKUP_PASSPHRASE)',
  'db.passphrase_opens': 'открыть ключ рядом паролем из файла (или SEO_ADMIN_BACKUP_PASSPHRASE)',
  status: 'что сейчас требует решения, самое важное сверху, и команда, которая поможет',
  top: 'что идёт прямо сейчас: операции с их скоростью, проверки, неполадки',
  'top.examples': `$ seo-admin top
$ seo-admin top --once --json`,
  'top.once': 'показать один раз и закончить',
  'status.examples': `$ seo-admin status
$ seo-admin status --fail-on no_reserve --json   # для мониторинга`,
  'status.exits': '0 показано, что бы ни нашлось · 3 есть то, что названо в --fail-on',
  'status.fail_on': 'код 3, если есть дела этого вида',
  why: 'почему домен красный: его слои от регистратора до индекса, до первого сломанного',
  'why.examples': `$ seo-admin why example.com
$ seo-admin why example.com --json --fail-on-broken`,
  'why.exits': '0 спрошено, что бы ни нашлось · 3 слой сломан (с --fail-on-broken) · 1 нет такого домена',
  'why.stored': 'показать последний ответ, ничего не спрашивая',
  'why.fail_on_broken': 'код 3, если слой сломан',
  doctor: 'проверить, что всё на месте',
  budget: 'сколько можно тратить на домены',
  'budget show': 'лимиты и что от них осталось сегодня',
  'budget show.examples': `$ seo-admin budget show
$ seo-admin budget show --json`,
  'budget set': 'задать лимиты; пока не заданы лимиты на день и на имя, ничего не покупается',
  'budget set.examples': `$ seo-admin budget set --currency RUB --global-day 5000.00 --per-domain 500.00
$ seo-admin budget set --currency RUB --project-day Кофе=1000.00 --approval-above none`,
  'budget.currency': 'валюта сумм',
  'budget.global_day': 'не больше на все покупки дня (UTC); none снимает лимит',
  'budget.per_domain': 'не больше за одно имя',
  'budget.registrar_day': 'не больше у регистратора за день',
  'budget.project_day': 'не больше на проект за день',
  'budget.user_day': 'не больше на пользователя за день',
  'budget.approval_above': 'дороже этого одобряет второй администратор',
  'budget.names_day': 'не больше имён за день',
  'budget.names_project': 'не больше имён на проект за день',
  'budget.pause': 'не меньше минут между покупками, которые начинаются сами',
  purchases: 'покупки доменов и чем они кончились',
  'purchases list': 'книга покупок, сначала новые',
  'purchases list.examples': `$ seo-admin purchases list --state unknown
$ seo-admin purchases list --project Кофе --json`,
  'purchases show': 'покупка и что известно о заказе',
  'purchases show.examples': '$ seo-admin purchases show 12',
  'purchases resolve': 'решить, куплено ли имя, о заказе которого ничего не известно',
  'purchases resolve.examples': `$ seo-admin purchases resolve 12 --bought
$ seo-admin purchases resolve 13 --not-bought`,
  'purchases approve': 'одобрить покупку, которую попросил другой',
  'purchases approve.examples': `$ seo-admin purchases approve 12 --as anna --dry-run
$ seo-admin purchases approve 12 --as anna --yes`,
  'purchases off': 'остановить все покупки, до следующего заказа любого процесса',
  'purchases off.examples': '$ seo-admin purchases off',
  'purchases on': 'снова разрешить покупки',
  'purchases on.examples': '$ seo-admin purchases on',
  'purchases.id': 'номер покупки',
  'purchases.state': 'только в этом состоянии',
  'purchases.project': 'только этого проекта',
  'purchases.bought': 'куплено: деньги потрачены, имя входит в портфель',
  'purchases.not_bought': 'не куплено: деньги возвращаются',
  schedule: 'что программа делает сама и когда',
  'schedule list': 'задания: когда, следующий и последний запуск',
  'schedule list.examples': '$ seo-admin schedule list --json',
  'schedule set': 'изменить, когда выполняется задание; что не указано, остаётся',
  'schedule set.examples': `$ seo-admin schedule set check --every 30 --quiet-times 23:00-07:00 --zone Europe/Moscow
$ seo-admin schedule set backup --cron '41 2 * * *' --keep 30
$ seo-admin schedule set heartbeat --heartbeat-file address.txt`,
  'schedule run': 'выполнить задание сейчас',
  'schedule run.examples': `$ seo-admin schedule run backup
$ seo-admin schedule run auto_transfer --yes`,
  'schedule run.exits': '0 выполнено · 1 не выполнено · 75 уже выполняется, здесь или в другом процессе',
  'schedule.name': 'задание',
  'schedule.state': 'on или off',
  'schedule.cron': 'строка cron, пять полей',
  'schedule.every': 'интервал в минутах',
  'schedule.zone': 'часовой пояс, например Europe/Moscow',
  'schedule.jitter': 'разброс в секундах',
  'schedule.quiet_times': 'тихое время, например 23:00-07:00; none – без него',
  'schedule.keep': 'за сколько дней хранить копии (backup), сколько дней хранить журнал (purge)',
  'schedule.heartbeat_file': 'файл с адресом, который вызывается после каждого успешного запуска; пустой – не вызывать',
  notice: 'уведомления: что случилось и кто об этом знает',
  'notice list': 'что случилось, сначала новое',
  'notice list.examples': `$ seo-admin notice list --open
$ seo-admin notice list --level critical --json`,
  'notice ack': 'подтвердить уведомление: дальше по цепочке о нём не сообщат',
  'notice ack.examples': '$ seo-admin notice ack 12 --as anna',
  'notice test': 'поставить в очередь пробное уведомление самому себе',
  'notice test.examples': '$ seo-admin notice test email --as anna',
  'notice.open': 'только то, что длится и не подтверждено',
  'notice.level': 'только этого уровня: critical, warning, info',
  'notice.limit': 'сколько уведомлений',
  'notice.offset': 'сколько уведомлений пропустить',
  'notice.id': 'номер уведомления',
  'notice.channel': 'канал: telegram или email',
  audit: 'журнал: кто, что и когда сделал',
  'audit list': 'что изменено, сначала новое; секретов в нём нет',
  'audit list.examples': `$ seo-admin audit list --user anna --since 2026-01-31
$ seo-admin audit list --object domains --id 12 --json`,
  'audit verify': 'найти записи, изменённые, удалённые или добавленные в обход программы',
  'audit verify.examples': `$ seo-admin audit verify
$ seo-admin audit verify --known 1204:HASH   # запись, напечатанная раньше`,
  'audit verify.exits': '0 журнал цел · 1 нарушен: названа первая запись, которая не сходится',
  'audit.user': 'логин того, кто сделал; system – сам сервер и расписание',
  'audit.door': 'откуда: ui, api, cli, schedule, operation, system',
  'audit.object': 'вид объекта, например domains или projects',
  'audit.id': 'id объекта',
  'audit.since': 'с какого дня или времени',
  'audit.limit': 'сколько записей',
  'audit.offset': 'сколько записей пропустить',
  'audit.known': 'запись, которая должна быть на месте: ID:HASH',
  completion: 'подсказки по Tab',
  'completion.examples': `$ source <(seo-admin completion bash)
$ seo-admin completion zsh > "\${fpath[1]}/_seo-admin"
$ seo-admin completion fish > ~/.config/fish/completions/seo-admin.fish`,
  'completion.shell': 'bash, zsh или fish',
  help: 'справка по команде или теме: hosting, cron, exit-codes, environment или man',
  'help.words': 'команда или тема',
  man_name: 'ИМЯ',
  man_synopsis: 'ОБЗОР',
  man_commands: 'КОМАНДЫ',
  man_flags: 'ОБЩИЕ ФЛАГИ',
  'topic.hosting': `Открыть в сеть

1. Создайте администратора до этого: пока пользователей нет, по ссылке из терминала его создаст тот, кто её увидит.
2. Поставьте перед сервером HTTPS (nginx, Caddy) и оставьте его самого на 127.0.0.1.
3. Назовите адрес, который набирают люди: SEO_ADMIN_PUBLIC_URL=https://seo.example.com. Под другими он не ответит.
4. Адреса посредников, чьим X-Forwarded-* верить: SEO_ADMIN_TRUSTED_PROXIES=127.0.0.1. Пусть посредник сообщает
   X-Forwarded-Proto: https – без HTTPS пароли серверов и ключи не показываются никому.
5. Копию базы serve делает сам каждую ночь: папка backups в папке данных. Ключа в копии нет. Задайте
   SEO_ADMIN_BACKUP_PASSPHRASE – он ляжет рядом с ней запечатанным – или храните файл key отдельно от копий.
   На другой машине держит копии SEO_ADMIN_BACKUP_SFTP или SEO_ADMIN_BACKUP_S3. Всё ли на месте, скажет seo-admin doctor.`,
  'topic.cron': `Запуск по расписанию

serve проверяет домены сам. Без него, или чаще:

7 * * * *     seo-admin check blocked --all --fail-on-blocked --quiet --csv >> /var/log/seo-admin/blocked.csv
*/15 * * * *  seo-admin check http --all --quiet --json > /var/lib/seo-admin/http.json; r=$?; [ $r -eq 75 ] || exit $r
30 2 * * *    seo-admin db backup "/backup/seo-$(date +\\%F).sqlite" --quiet

Код 75: прошлый запуск ещё идёт. Данные – в stdout, разговор – в stderr.`,
  'topic.exit-codes': `0     готово
1     не вышло, или вы отказались
2     ошибка в команде; или нужен ответ, а спросить некого
3     найдено то, о чём спрашивал --fail-on…
4     не настроено или нельзя
5     часть не вышла, остальное сделано
6     внешний сервис недоступен: попробуйте позже
75    уже выполняется в другом месте
129   прервано: терминал закрыт (SIGHUP)
130   прервано Ctrl+C
143   прервано SIGTERM`,
  'topic.environment': `Флаги, потом переменные, потом seo-admin.config.json в папке данных, потом то, что по умолчанию.

SEO_ADMIN_DATA_DIR                папка данных
DATABASE_URL                      sqlite:файл или postgres://логин:пароль@хост/имя
SEO_ADMIN_KEY_FILE                файл ключа (key в папке данных)
SEO_ADMIN_METRICS_TOKEN_FILE      файл с токеном для /metrics; без него такой страницы нет
SEO_ADMIN_PUBLIC_URL              адрес, который набирают люди, без пути
SEO_ADMIN_TRUSTED_PROXIES         чьим X-Forwarded-* верить
SEO_ADMIN_LOG                     silent, error, warn, info, debug, trace
SEO_ADMIN_LANG                    ru, en
BLOCKLIST_URL                     откуда список блокировок; можно file:
SEO_ADMIN_ALLOW_PRIVATE_TARGETS   on – проверки и вебхуки доходят и до внутренних адресов
SEO_ADMIN_CONNECT_TO              HOST1:PORT1:HOST2:PORT2, через запятую, как --connect-to у curl
SEO_ADMIN_DNS                     адрес:порт сервера имён для проверок`,
  autobuy: 'покупка резервов проектов',
  'autobuy show': 'настройки покупки резервов проекта',
  'autobuy set': 'изменить настройки покупки резервов',
  'autobuy run': 'купить резерв: имя и цена показываются до покупки',
  'autobuy.project': 'проект: название или номер',
  'autobuy.template': 'шаблон имён, например {a|b}{1|2}.ru',
  'autobuy.registrar': 'регистратор: название или номер',
  'autobuy.group': 'группа аккаунтов Cloudflare: название или номер',
  'autobuy.state': 'on или off',
  'autobuy.reserves': 'сколько готовых резервов держать',
} as const;

export type HelpTexts = Record<keyof typeof ru, string>;

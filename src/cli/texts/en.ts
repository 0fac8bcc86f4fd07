import type { HelpTexts } from './ru.ts';

/** The help in English: complete, or it does not compile. */
export const en: HelpTexts = {
  about: 'seo-admin: a portfolio of domains – what is blocked, what does not answer, what expires.',
  help_flag: 'this help',
  version: 'the version',
  data_dir: 'data directory (SEO_ADMIN_DATA_DIR)',
  on_demo: 'work on the running demo, its data and its services',
  as: `for whom to act; else for the host itself, with an admin's rights`,
  json: 'one JSON document on stdout, on failure too',
  csv: 'CSV with a heading',
  format: 'form of the answer: human, plain, json, ndjson, csv, tsv',
  lang: 'language: ru, en (SEO_ADMIN_LANG)',
  quiet: 'nothing but errors on stderr',
  no_color: 'without colour',
  no_input: 'ask nothing: where an answer is needed, exit 2',
  yes: 'answer yes to every question',
  password_stdin: 'the password from standard input',
  password_file: 'the password from a file',
  names: 'names of domains; - is standard input',
  file: 'names from a file, parted by blanks, commas, semicolons or line breaks; # is a comment',
  all: 'every domain of the portfolio',
  of_project: 'domains of a project: its name or id',
  by_status: 'only: all, active, blocked, broken, expired',
  dry_run: 'say what would be done, and do nothing',
  title_examples: 'Examples',
  title_usage: 'Usage',
  title_arguments: 'Arguments',
  title_commands: 'Commands',
  title_flags: 'Options',
  title_exits: 'Exit codes',
  usage_flags: '[options]',
  usage_command: '[command]',
  common_flags: 'Common options (--json, --csv, --data-dir, --as, …): seo-admin --help',
  'root.examples': `$ npx seo-admin serve
$ seo-admin check blocked --all --fail-on-blocked
$ seo-admin domain list --status broken --json`,
  'root.exits': `0 done · 1 failed or declined · 2 wrong usage · 3 found what --fail-on… asked about · 4 not configured or not allowed
5 some items failed · 6 an outside service is unavailable · 75 already running · 129/130/143 interrupted`,
  serve: 'serve the web interface and the API',
  'serve.examples': `$ seo-admin serve
$ seo-admin serve --port 0 --no-scheduler
$ seo-admin serve --host 0.0.0.0            # first: seo-admin help hosting
$ seo-admin serve --print-systemd | sudo tee /etc/systemd/system/seo-admin.service`,
  'serve.host': 'the address to listen on',
  'serve.port': 'the port; 0 takes a free one',
  'serve.scheduler': 'without checks at set times',
  'serve.open': 'open the browser',
  'serve.demo': 'an example: a made-up portfolio and made-up services, in a database of its own beside the real one',
  'serve.demo_size': 'how many domains the example has; another number makes it anew',
  'serve.demo_freeze': 'an example for pictures: no schedule, always from the same day',
  'serve.print_systemd': 'print a systemd unit that runs this very command, and end',
  worker: 'the background work alone: operations, schedule, notices; for further processes on the same data',
  'worker.only':
    'only this work: checks, dns, sites, transfers, purchases, positions, schedule, notices, bot; the rest is left to other processes',
  'worker.metrics_port': 'answer /livez, /readyz and /metrics on this port; 0 takes a free one',
  'worker.metrics_host': 'the address of that port',
  'worker.print_systemd': 'print a systemd unit that runs this very command, and end',
  'worker.examples': `$ DATABASE_URL=postgres://… seo-admin worker
$ seo-admin worker --only checks,positions
$ seo-admin worker --print-systemd | sudo tee /etc/systemd/system/seo-admin-worker.service`,
  demo: 'the example that serve --demo opens',
  'demo reset': 'forget the example: the next serve --demo begins anew',
  init: 'prepare the data directory and the first administrator',
  'init.examples': `$ seo-admin init
$ seo-admin init --admin-login admin --admin-password-file /run/secrets/pw   # again: changes nothing`,
  'init.login': 'login of the first administrator',
  'setup-link': 'another one-time link for the first administrator',
  'setup-link.url': 'the address under which the server is reached',
  user: 'users',
  'user create': 'create a user',
  'user list': 'every user',
  'user passwd':
    'set a password; signs the user out everywhere, ends the API tokens, passkeys, the calendar feed and the link to Telegram',
  'user disable': 'refuse a user from now on',
  'user enable': 'let a disabled user sign in again',
  'user role': 'change the role; signs the user out everywhere',
  'user reset-second-factor': 'remove the second factor: the password alone signs in',
  token: 'API tokens',
  'token list': 'the tokens of the user of --as; without it, of everybody',
  'token create': 'make a token and print it once; without --as, of the first administrator',
  'token revoke': 'revoke a token',
  'token.name': 'name',
  'token.scope': 'scope: read, write, admin',
  'token.days': 'valid for so many days, 1 to 365',
  'token.never': 'without an end, for administrators only',
  'token.id': 'number',
  'token create.examples': `$ seo-admin token create nightly --scope write --as ivan > token
$ curl -H "Authorization: Bearer $(cat token)" http://127.0.0.1:4180/api/session`,
  'user.login': 'login',
  'user.role': 'role: admin, user',
  'user.telegram': 'Telegram name',
  'user create.examples': `$ seo-admin user create --login admin --role admin
$ printf '%s' "$PW" | seo-admin user create --login ivan --telegram ivan_seo --password-stdin --json`,
  'user passwd.examples': `$ seo-admin user passwd ivan
$ seo-admin user passwd ivan --password-file /run/secrets/pw`,
  check: 'check domains',
  'check blocked': `look domains up in the blocklist; the portfolio's (--all, --project) keep the result`,
  'check blocked.examples': `$ seo-admin check blocked a.ru b.com
$ cat domains.txt | seo-admin check blocked - --json | jq -r '.items[]|select(.status=="blocked").domain'
$ seo-admin check blocked --all --fail-on-blocked --quiet`,
  'check blocked.exits': `0 done · 3 blocked names found (with --fail-on-blocked) · 4 no list, or one older than 72 hours: all unknown
5 some names are wrong, or the result waits for a decision (--accept) · 75 this check is already running`,
  'check http': 'ask sites over HTTP; domains of the portfolio keep the result',
  'check http.examples': `$ seo-admin check http a.ru b.com --timeout 5
$ seo-admin check http --all --quiet
$ seo-admin check http --project Vulkan --no-follow --csv`,
  'check http.exits':
    '0 done: a 500 or no answer is an answer, too · 5 some names are wrong or could not be asked · 75 this check is already running',
  'check expiry':
    'until when domains are registered, by their registrar, else by the registry; domains of the portfolio keep the result',
  'check expiry.examples': `$ seo-admin check expiry a.ru b.com
$ seo-admin check expiry --all --quiet
$ seo-admin check expiry --status expired --csv`,
  'check expiry.exits':
    '0 done · 5 some names are wrong, or nobody told about them · 6 nobody told about any · 75 this check is already running',
  'check index': 'whether domains are in the index of Yandex and Google; all mains without names',
  'check all': 'checks of the portfolio, one after the other: HTTP, blocklist, registrations',
  'check all.examples': '$ seo-admin check all --fail-on-blocked --quiet',
  'check history': 'what checks of a domain have found: how often the same in a row, from when to when',
  'check history.examples': `$ seo-admin check history example.com
$ seo-admin check history example.com --days --csv`,
  'check.days': 'by day: checks, those that were up, median and worst time of an answer',
  'check.fail_on_blocked': 'exit 3 where a domain is blocked',
  'check.index_dry_run': 'only show which domains would be asked about, and how many paid requests that takes',
  'check.redirects_dry_run': 'only show which names would be asked',
  'check.accept': 'keep a result that waits for a decision: it blocks more than 20 % of the portfolio at once',
  'check.scheme': 'auto (https, and http where TLS cannot be had), https, http',
  'check.follow': 'do not follow redirects',
  'check.timeout': 'how long to wait for an answer, in seconds',
  'check.concurrency': 'how many sites at once',
  domain: 'the portfolio',
  'domain list': 'list domains',
  'domain list.examples': `$ seo-admin domain list
$ seo-admin domain list --status expired --project 3 --csv`,
  'domain add': 'add domains',
  'domain add.examples': `$ seo-admin domain add a.ru b.com --project Vulkan --type transfer
$ seo-admin domain add --file domains.txt`,
  'domain show': 'everything about a domain',
  'domain remove': 'remove domains; they can be brought back for 30 days',
  'domain set': 'give many domains a project, a mode, a server, a CDN account',
  'domain set.examples': `$ seo-admin domain set a.ru b.com --server srv-2 --dry-run
$ seo-admin domain set --filter status=blocked,project=Vulkan --mode manual --yes
$ seo-admin domain set --file domains.txt --project none`,
  'domain remove.examples': `$ seo-admin domain remove a.ru b.com
$ seo-admin domain remove --filter project=Vulkan,status=expired --dry-run`,
  'domain undo': 'give back what domain set or domain remove has changed',
  'domain.undo_id': 'the number in the answer of that command (undo)',
  'domain.names': 'names with commas between',
  'domain.filter':
    'domains by a filter: all, or field=value with commas between; fields: status, project, server, registrar, type, search, expiry, expires-from, expires-to',
  'domain.set_project': 'project: its name or id; none: no project',
  'domain.set_mode': 'mode of transfers: auto, manual',
  'domain.set_server': 'server: its name or id; none: no server',
  'domain.set_account': 'CDN account: its name or id; none: no account',
  'domain renew': 'renew domains for a year at their registrars, within the caps of purchases',
  'domain import': `import CSV or TSV, Excel's included`,
  'domain import.examples': `$ seo-admin domain import portfolio.csv --dry-run
$ seo-admin domain import portfolio.csv --mode overwrite`,
  'domain export': 'export the portfolio',
  'domain export.examples': `$ seo-admin domain export > portfolio.csv
$ seo-admin domain export --delimiter semicolon --bom > excel.csv`,
  'domain.type': 'type: main, transfer',
  'domain.search': 'part of a name or of a project',
  'domain.into': 'project: its name or id',
  'domain.name': 'name of the domain',
  'domain.import_file': 'the file; - is standard input',
  'domain.mode': 'domains that are there already: skip, fill, overwrite',
  'domain.delimiter': 'comma or semicolon',
  'domain.bom': 'with a byte order mark, for Excel',
  project: 'projects',
  'project list': 'every project',
  'project create': 'create a project',
  'project rename': 'rename a project',
  'project remove': 'remove a project; its domains stay',
  'project.name': 'name',
  'project.new_name': 'new name',
  'project.which': 'name or id',
  key_stdin: 'key or token from standard input',
  key_file: 'key or token from a file',
  token_stdin: 'token from standard input',
  token_file: 'token from a file',
  'team.name': 'name',
  'team.new_name': 'new name',
  'team.which': 'name or number',
  account: 'accounts',
  'account list': 'all of them; secrets are not shown',
  'account add': 'add one',
  'account edit': 'edit one; what is not given stays',
  'account remove': 'delete one that nothing uses',
  'account test': 'test the logins: of these, or of all',
  'account.all': 'all of them',
  cloudflare: 'Cloudflare accounts',
  'cloudflare list': 'all accounts; keys are not shown',
  'cloudflare add': 'add an account and try its key',
  'cloudflare edit': 'edit an account; what is not given stays',
  'cloudflare remove': 'delete an account that nothing uses',
  'cloudflare test': 'try the keys: of these accounts, or of all',
  'cloudflare.email': 'e-mail of a global key; an API token needs none',
  'cloudflare.account_id': 'the account at Cloudflare for new zones, where the key sees several',
  'cloudflare add.examples': `$ seo-admin cloudflare add Main --email me@example.com --key-file key.txt
$ seo-admin cloudflare add Second --key-stdin < token.txt`,
  group: 'groups of Cloudflare accounts',
  'group list': 'all groups',
  'group add': 'add a group',
  'group edit': 'edit a group; --account gives all its accounts',
  'group remove': 'delete a group; its accounts stay',
  'group test': "try the keys of a group's accounts",
  'group.account': 'accounts: names or numbers',
  registrar: 'registrars',
  'registrar list': 'all registrars; passwords are not shown',
  'registrar add': 'add a registrar and test its login',
  'registrar edit': 'edit a registrar; its type stays',
  'registrar remove': 'delete a registrar that nothing uses',
  'registrar test': 'test the logins: of these registrars, or of all',
  'registrar domains': 'the domains at a registrar with their expiry, as of now',
  'registrar.all': 'all registrars',
  'registrar.type': 'reghouse.ru, expired.ru, reg.ru, namecheap.com or porkbun.com',
  'registrar.login': 'login or key',
  'registrar.base_url': 'address of the API (reghouse.ru)',
  'registrar.contact': 'contact as the registrar calls it (reghouse.ru, namecheap.com)',
  'registrar.profile_type': 'profile type such as RU.PP (reg.ru)',
  'registrar.profile_name': 'profile name (reg.ru)',
  'registrar.client_ip': 'address of this server on the list of allowed ones (reg.ru, namecheap.com)',
  'registrar.sandbox': 'on: the sandbox (namecheap.com)',
  'registrar.price': 'price of a name for a year (reghouse.ru)',
  'registrar.highest_price': 'never buy for more',
  xmlriver: 'XMLRiver accounts: positions and indexation',
  'xmlriver test': 'test the logins and refresh the balances: of these, or of all',
  'xmlriver.login': 'user_id of the account',
  arsenkin: 'Arsenkin accounts: positions and indexation by tasks',
  'arsenkin test': 'test the logins and refresh what is left of the limits: of these, or of all',
  keyword: 'keywords of a project',
  'keyword list': 'all keywords of a project',
  'keyword add': 'add keywords: the given ones, or those of a file, one a line',
  'keyword remove': 'delete keywords with all their positions',
  'keyword.project': 'project: name or number',
  'keyword.words': 'keywords; - is standard input',
  'keyword.file': 'file with keywords, one a line, # begins a comment; - is standard input',
  position: 'positions in search engines',
  'position fetch': 'read the positions of a project: costs money, asks before',
  'position show': 'positions of a project over the latest days',
  'position.engine': 'yandex or google; both without it',
  'position.wait': 'wait for the end; without it the server runs the operation',
  'position.days': 'over how many days',
  'position.dry_run': 'say how many paid requests it takes at most, and their price; read nothing',
  'position.fail_on_drop':
    'exit 3 if a keyword has lost as many places or more from its check before to that of the latest day; not checked is no loss',
  server: 'servers',
  'server list': 'all servers; passwords are not shown',
  'server add': 'add a server',
  'server edit': 'edit a server; a new host needs the password, too',
  'server remove': 'delete a server that nothing uses',
  'server test': 'try SSH: of these servers, or of all',
  'server accept-key': 'accept the new host key that a server has shown; administrators only',
  'server keep-key': 'keep the host key that a server is known by; administrators only',
  'server.all': 'all servers',
  'server.key': 'the whole key as server list shows it: "ssh-ed25519 SHA256:…"',
  'server.host': 'IP address or host name, with the SSH port after a colon where it is not 22',
  'server.user': 'SSH user',
  site: 'sites of domains on their servers',
  'site deploy': "deploy a domain's site: a template's files with a page's text, to its server",
  'site deploy.examples': `$ seo-admin site deploy example.com --template Promo --html page.html --dry-run
$ seo-admin site deploy example.com --template Promo --html page.html --yes
$ seo-admin site deploy example.com --yes             # what is kept, once more`,
  'site deploy.exits': `0 deployed, or it was like this already · 1 refused · 6 the server does not answer · 75 something else is done with this site`,
  'site show': "what a domain's site is made of, and which release of it is deployed",
  'site.template': 'template: name or number; without it the former one',
  'site.html': 'an .html or .htm file with the text; without it the former one',
  template: 'site templates',
  'template list': 'all templates',
  'template add': 'add a template: a ZIP with index.html at its root',
  'template edit': 'edit a template; what is not given stays',
  'template remove': 'delete a template that nothing uses',
  'template scan': 'show the files and placeholders of a template, or of a ZIP that is none yet',
  'template download': 'save the ZIP of a template',
  'template.file': 'ZIP file',
  'template.name': 'name; without it, that of the file',
  'template.scanned': 'a ZIP file, or name or number of a template',
  'template.output': 'where to save it; else under the name it was uploaded with, if there is no such file',
  'template add.examples': `$ seo-admin template add promo.zip
$ seo-admin template add --name Promo --file promo.zip --dry-run`,
  dns: 'DNS records',
  'dns list': "all records of a domain's zone",
  'dns set': 'point a domain at a server through a Cloudflare account',
  'dns set.examples': `$ seo-admin dns set example.com --account Main --server srv --dry-run
$ seo-admin dns set example.com --account Main --server srv --tls on --yes`,
  'dns apply': 'make the records of a zone those of a file: what is not in it is deleted; MX, NS and others stay',
  'dns apply.examples': `$ seo-admin dns list example.com --json > records.json
$ seo-admin dns apply example.com --file records.json --dry-run`,
  'dns.account': 'Cloudflare account: name or number',
  'dns.server': 'server: name or number',
  'dns.tls': 'TLS 1.3: on, off (off where it is not given)',
  'dns.update_ns': 'tell the name servers to be entered at the registrar',
  'dns.file': 'JSON of dns list --json, or lines as in a zone file; - is standard input',
  'dns.override': 'confirm a file that leaves little: an empty one, or one that deletes more than 30 % of ten or more',
  rules: 'page rules and redirects',
  'rules list': "the rules of a domain's zone",
  'rules attach': 'attach domains: each forwards to the main one',
  'rules attach.examples': `$ seo-admin rules attach main.com a.com b.com --account Main --server srv --dry-run
$ seo-admin rules attach main.com --file domains.txt --account Main --server srv --yes`,
  'rules remove': 'delete a rule; operation restore brings it back',
  'rules.main': 'the domain that they forward to',
  'rules.rule': 'id of the rule, as rules list shows it',
  transfer: 'moving sites to reserve domains',
  'transfer plan': 'show what a transfer would change and how ready the reserve is; changes nothing',
  'transfer plan.examples': `$ seo-admin transfer plan old.com new.com
$ seo-admin transfer plan old.com              # with the reserve that would be picked`,
  'transfer run': 'move the site of a main domain to a reserve of its project',
  'transfer run.examples': `$ seo-admin transfer run old.com new.com --dry-run
$ seo-admin transfer run old.com new.com --yes`,
  'transfer run.exits':
    '0 moved · 1 not moved, all put back · 6 an outside service does not answer · 75 something else is done with the domain',
  'transfer history': 'the moves that a domain took part in',
  'transfer.source': 'main domain',
  'transfer.target': 'reserve domain of the same project',
  'transfer.picked': 'reserve domain; without it the one that would be picked',
  'transfer.confirm_site':
    'the right site is at the reserve, though that cannot be told: the print of the page, as the plan shows it',
  'transfer.force': 'take a reserve that is blocked, and let many DNS records be deleted',
  'transfer auto': 'move blocked main domains to ready reserves',
  'transfer auto.examples': `$ seo-admin transfer auto --project Vulkan --dry-run
$ seo-admin transfer auto --all --yes --json   # for cron: only what three observations have confirmed`,
  'transfer.auto_project': 'every blocked main domain of the project: its name or number',
  'transfer.auto_all': 'in all projects what moves by itself: after three observations, within the limits of the day',
  'transfer.auto_last': 'use the last reserve of the project, too',
  protect: 'protection of many domains at once',
  'protect under-attack': 'Under Attack mode; off gives each zone the level that it had',
  'protect under-attack.examples': `$ seo-admin protect under-attack enable --all --dry-run
$ seo-admin protect under-attack disable example.com --yes`,
  'protect tls': 'TLS 1.3',
  'protect tls.examples': '$ seo-admin protect tls off --project Vulkan --yes',
  'protect.action': 'enable, disable',
  'protect.state': 'on, off',
  'check redirects': 'follow the redirects of sites, hop by hop',
  'check redirects.examples': `$ seo-admin check redirects a.ru b.com
$ seo-admin check redirects --all --json`,
  name: 'names to buy',
  'name check': 'check names by the rules',
  'name check.examples': `$ seo-admin name check casino-1.ru 'bad name.com'`,
  'name check-template': 'check a template of names',
  'name generate': 'make names from a template',
  'name generate.examples': `$ seo-admin name generate '{casino|kazino}-{play|win}{1|2|3}.{ru|com}' --count 20 --unique
$ seo-admin name generate '{a|b}{1|2}.ru' --count 4 --unique | seo-admin check blocked -`,
  'name.template': 'template: {a|b} picks one, [+sep+a|b] takes all in any order',
  'name.count': 'how many names',
  'name.unique': 'each name once',
  'name.seed': 'the same names for the same number',
  blocklist: 'the blocklist',
  'blocklist update': 'load the list',
  'blocklist update.examples': `$ seo-admin blocklist update
$ seo-admin blocklist update --file dump.csv.gz`,
  'blocklist.accept': 'take the list however much it differs from those before',
  'blocklist accept': 'take the list over that waits for a decision',
  'blocklist rollback': 'go back to the former list; the one it replaces is not taken again',
  'blocklist status': 'where the list is from, how old it is, how much is in it',
  'blocklist.file': 'from a file: z-i (windows-1251), a list of names, JSON, XML; .gz too',
  'blocklist.url': 'from an address other than BLOCKLIST_URL',
  operation: 'long work',
  'operation list': 'the latest work',
  'operation show': 'one piece of work',
  'operation list.examples': '$ seo-admin operation list --state partial --json',
  'operation resume':
    'go on with a piece of work here: what failed, was left or waits in the queue; what was done is not repeated',
  'operation resume.examples': `$ seo-admin operation resume 12 --dry-run
$ seo-admin operation resume 12 --yes`,
  'operation resume.exits':
    '0 all of it done · 1 none of it done, or nothing to go on with · 3 found what --fail-on… asked about · 5 a part failed · 75 another process is at it · 129/130/143 stopped; the same command goes on',
  'operation cancel': 'stop a piece of work; what was done stays',
  'operation restore': 'give back what was there before a piece of work; what was changed since is left alone',
  'operation restore.examples': `$ seo-admin operation restore 12 --dry-run
$ seo-admin operation restore 12 --yes`,
  'operation.state': 'state',
  'operation.id': 'id',
  'operation.limit': 'how many pieces of work',
  'operation.offset': 'how many pieces of work to skip',
  db: 'the database',
  'db migrate': 'bring the database up to date; backups/before-… is made before',
  'db.no_backup': 'without the backup before',
  'db backup': 'back the database up, while the server works',
  'db backup.examples': '$ seo-admin db backup "/backup/seo-$(date +%F).sqlite" --quiet',
  'db restore': 'bring a backup back; the former database stays beside it. Stop the server first',
  'db drill': 'restore a backup beside and compare its integrity and rows. The database is not touched',
  'db drill.examples': `$ seo-admin db drill
$ seo-admin db drill /backup/seo-2026-11-25.sqlite --json
$ seo-admin db drill --copies`,
  'db drill.exits': '0 the backup is proved · 1 there is none, it is damaged or differs · 6 too little room',
  'db.drill_copies': 'fetch the newest copy of each place back and restore that',
  'db.drill_file': 'file of the backup; without it the newest one of the schedule',
  'db status': 'size, integrity, migrations, rows',
  'db copy': 'copy everything into another, empty database: SQLite to PostgreSQL or back. Stop the server first',
  'db copy.examples': `$ seo-admin db copy postgres://seo@db.example/seo --password-file pw.txt --dry-run
$ seo-admin db copy postgres://seo@db.example/seo --password-file pw.txt
$ DATABASE_URL=postgres://… seo-admin db copy sqlite:back.sqlite`,
  'db copy.exits':
    '0 copied and compared · 1 the target is not empty, or a row differs · 4 not up to date, or another key · 6 a server does not answer · 75 the database is in use',
  'db.address': 'postgres://login@host/name, without the password, or sqlite:file',
  'db.file': 'file of the backup; .sha256 and, with a passphrase, .key.sealed are beside it',
  'db.passphrase_file': 'seal the key beside it with the passphrase in a file (or SEO_ADMIN_BACKUP_PASSPHRASE)',
  'db.passphrase_opens': 'open the key beside it with the passphrase in a file (or SEO_ADMIN_BACKUP_PASSPHRASE)',
  status: 'what needs somebody now, the weightiest first, and the command that helps',
  top: 'what is going on right now: operations with their rate, checks, problems',
  'top.examples': `$ seo-admin top
$ seo-admin top --once --json`,
  'top.once': 'show it once, and end',
  'status.examples': `$ seo-admin status
$ seo-admin status --fail-on no_reserve --json   # for a monitor`,
  'status.exits': '0 told, whatever was found · 3 there is something of what --fail-on names',
  'status.fail_on': 'exit 3 where there is something of this kind',
  why: 'why a domain is red: its layers from the registrar to the index, up to the first broken one',
  'why.examples': `$ seo-admin why example.com
$ seo-admin why example.com --json --fail-on-broken`,
  'why.exits': '0 asked, whatever was found · 3 a layer is broken (with --fail-on-broken) · 1 no such domain',
  'why.stored': 'show the last answer; ask nothing',
  'why.fail_on_broken': 'exit 3 where a layer is broken',
  doctor: 'see whether everything is in place',
  budget: 'what may be spent on domains',
  'budget show': 'the caps, and what is left of them today',
  'budget show.examples': `$ seo-admin budget show
$ seo-admin budget show --json`,
  'budget set': 'set caps; nothing is bought before one for a day and one for a name are set',
  'budget set.examples': `$ seo-admin budget set --currency RUB --global-day 5000.00 --per-domain 500.00
$ seo-admin budget set --currency RUB --project-day Coffee=1000.00 --approval-above none`,
  'budget.currency': 'currency of the sums',
  'budget.global_day': 'most for all purchases of a day (UTC); none removes a cap',
  'budget.per_domain': 'most for one name',
  'budget.registrar_day': 'most for a registrar and a day',
  'budget.project_day': 'most for a project and a day',
  'budget.user_day': 'most for a user and a day',
  'budget.approval_above': 'above this price a second administrator approves',
  'budget.names_day': 'most names of a day',
  'budget.names_project': 'most names of a project and a day',
  'budget.pause': 'least minutes between purchases that begin by themselves',
  purchases: 'purchases of domains, and their end',
  'purchases list': 'the ledger, the newest first',
  'purchases list.examples': `$ seo-admin purchases list --state unknown
$ seo-admin purchases list --project Coffee --json`,
  'purchases show': 'a purchase, with what is known of its order',
  'purchases show.examples': '$ seo-admin purchases show 12',
  'purchases resolve': 'say whether a purchase whose end is not known was bought',
  'purchases resolve.examples': `$ seo-admin purchases resolve 12 --bought
$ seo-admin purchases resolve 13 --not-bought`,
  'purchases approve': 'approve a purchase that somebody else has asked for',
  'purchases approve.examples': `$ seo-admin purchases approve 12 --as anna --dry-run
$ seo-admin purchases approve 12 --as anna --yes`,
  'purchases off': 'stop all purchases, before the next order of any process',
  'purchases off.examples': '$ seo-admin purchases off',
  'purchases on': 'allow purchases again',
  'purchases on.examples': '$ seo-admin purchases on',
  'purchases.id': 'number of the purchase',
  'purchases.state': 'only those in a state',
  'purchases.project': 'only those of a project',
  'purchases.bought': 'it was bought: the money is spent, the name joins the portfolio',
  'purchases.not_bought': 'it was not bought: the money is given back',
  schedule: 'what the program does by itself, and when',
  'schedule list': 'the jobs: when, their next and their last run',
  'schedule list.examples': '$ seo-admin schedule list --json',
  'schedule set': 'set when a job runs; what is not given stays',
  'schedule set.examples': `$ seo-admin schedule set check --every 30 --quiet-times 23:00-07:00 --zone Europe/Moscow
$ seo-admin schedule set backup --cron '41 2 * * *' --keep 30
$ seo-admin schedule set heartbeat --heartbeat-file address.txt`,
  'schedule run': 'run a job now',
  'schedule run.examples': `$ seo-admin schedule run backup
$ seo-admin schedule run auto_transfer --yes`,
  'schedule run.exits': '0 done · 1 failed · 75 it runs already, here or in another process',
  'schedule.name': 'job',
  'schedule.state': 'on or off',
  'schedule.cron': 'cron line of five fields',
  'schedule.every': 'interval in minutes',
  'schedule.zone': 'time zone, such as Europe/Moscow',
  'schedule.jitter': 'jitter in seconds',
  'schedule.quiet_times': 'quiet times, such as 23:00-07:00; none: without',
  'schedule.keep': 'for how many days to keep backups (backup), how many days to keep the log (purge)',
  'schedule.heartbeat_file': 'file with the address that is called after each run that went well; empty: none',
  notice: 'notices: what has happened, and who knows',
  'notice list': 'what has happened, the newest first',
  'notice list.examples': `$ seo-admin notice list --open
$ seo-admin notice list --level critical --json`,
  'notice ack': 'acknowledge a notice: it is not escalated any more',
  'notice ack.examples': '$ seo-admin notice ack 12 --as anna',
  'notice test': 'queue a test to oneself',
  'notice test.examples': '$ seo-admin notice test email --as anna',
  'notice.open': 'only what lasts and is not acknowledged',
  'notice.level': 'only of this level: critical, warning, info',
  'notice.limit': 'how many notices',
  'notice.offset': 'how many notices to skip',
  'notice.id': 'number of the notice',
  'notice.channel': 'channel: telegram or email',
  audit: 'who has done what, and when',
  'audit list': 'what was changed, the newest first; secrets are not in it',
  'audit list.examples': `$ seo-admin audit list --user anna --since 2026-01-31
$ seo-admin audit list --object domains --id 12 --json`,
  'audit verify': 'find rows that were changed, removed or added behind the program',
  'audit verify.examples': `$ seo-admin audit verify
$ seo-admin audit verify --known 1204:HASH   # a row that was printed before`,
  'audit verify.exits': '0 intact · 1 broken: the first row that does not fit is named',
  'audit.user': 'login of who did it; system is the host and the schedule',
  'audit.door': 'where it came in: ui, api, cli, schedule, operation, system',
  'audit.object': 'kind of object, such as domains or projects',
  'audit.id': 'id of the object',
  'audit.since': 'since a day or a time',
  'audit.limit': 'how many rows',
  'audit.offset': 'how many rows to skip',
  'audit.known': 'a row that must still be there: ID:HASH',
  completion: 'completion for a shell',
  'completion.examples': `$ source <(seo-admin completion bash)
$ seo-admin completion zsh > "\${fpath[1]}/_seo-admin"
$ seo-admin completion fish > ~/.config/fish/completions/seo-admin.fish`,
  'completion.shell': 'bash, zsh or fish',
  help: 'help on a command or a topic: hosting, cron, exit-codes, environment, man',
  'help.words': 'a command or a topic',
  man_name: 'NAME',
  man_synopsis: 'SYNOPSIS',
  man_commands: 'COMMANDS',
  man_flags: 'COMMON OPTIONS',
  'topic.hosting': `Open it to the network

1. Make the administrator before that: as long as there are no users, whoever sees the link of the terminal makes one.
2. Put HTTPS in front of the server (nginx, Caddy), and leave the server itself on 127.0.0.1.
3. Name the address that people type: SEO_ADMIN_PUBLIC_URL=https://seo.example.com. It does not answer under others.
4. The proxies whose X-Forwarded-* count: SEO_ADMIN_TRUSTED_PROXIES=127.0.0.1. Let the proxy send
   X-Forwarded-Proto: https, because without HTTPS passwords of servers and keys are shown to nobody.
5. serve backs the database up each night by itself, into backups of the data directory. The key is not in a backup:
   set SEO_ADMIN_BACKUP_PASSPHRASE, and it lies beside it, sealed, or keep the file key apart from the backups.
   SEO_ADMIN_BACKUP_SFTP or SEO_ADMIN_BACKUP_S3 keep copies on another machine. seo-admin doctor says what is missing.`,
  'topic.cron': `At set times

serve checks the domains on its own. Without it, or more often:

7 * * * *     seo-admin check blocked --all --fail-on-blocked --quiet --csv >> /var/log/seo-admin/blocked.csv
*/15 * * * *  seo-admin check http --all --quiet --json > /var/lib/seo-admin/http.json; r=$?; [ $r -eq 75 ] || exit $r
30 2 * * *    seo-admin db backup "/backup/seo-$(date +\\%F).sqlite" --quiet

Exit 75: the last run goes on still. Data is on stdout, talk on stderr.`,
  'topic.exit-codes': `0     done
1     failed, or you declined
2     wrong usage; or an answer is needed and there is nobody to ask
3     found what --fail-on… asked about
4     not configured or not allowed
5     some items failed, the rest is done
6     an outside service is unavailable: try later
75    already running elsewhere
129   interrupted: the terminal was closed (SIGHUP)
130   interrupted by Ctrl+C
143   interrupted by SIGTERM`,
  'topic.environment': `Flags, then the environment, then seo-admin.config.json in the data directory, then the default.

SEO_ADMIN_DATA_DIR                data directory
DATABASE_URL                      sqlite:file, or postgres://login:password@host/name
SEO_ADMIN_KEY_FILE                the key's file (key in the data directory)
SEO_ADMIN_METRICS_TOKEN_FILE      the file of the token that opens /metrics; without it there is none
SEO_ADMIN_PUBLIC_URL              the address that people type, without a path
SEO_ADMIN_TRUSTED_PROXIES         whose X-Forwarded-* count
SEO_ADMIN_LOG                     silent, error, warn, info, debug, trace
SEO_ADMIN_LANG                    ru, en
BLOCKLIST_URL                     where the blocklist comes from; file: allowed
SEO_ADMIN_ALLOW_PRIVATE_TARGETS   on: checks and webhooks reach private addresses, too
SEO_ADMIN_CONNECT_TO              HOST1:PORT1:HOST2:PORT2, comma-separated, as curl's --connect-to
SEO_ADMIN_DNS                     address:port of the name server that checks ask`,
  autobuy: 'buying reserves of projects',
  'autobuy show': 'how reserves of a project are bought',
  'autobuy set': 'set how reserves of a project are bought',
  'autobuy run': 'buy a reserve: name and price are shown before',
  'autobuy.project': 'project: name or number',
  'autobuy.template': 'template of names, such as {a|b}{1|2}.ru',
  'autobuy.registrar': 'registrar: name or number',
  'autobuy.group': 'group of Cloudflare accounts: name or number',
  'autobuy.state': 'on or off',
  'autobuy.reserves': 'how many ready reserves to keep',
};

// The site templates of the demo: small, and with all placeholders.
import { zipOf } from './zip.ts';

const ROBOTS = `User-agent: *
Allow: /

Sitemap: https://SITE_URL/sitemap.xml
`;

const sitemap = (...pages: string[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((page) => `  <url><loc>https://SITE_URL/${page}</loc></url>`).join('\n')}
</urlset>
`;

const icon = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${color}"/></svg>
`;

const page = (style: string, body: string, title = 'TITLE'): string => `<!doctype html>
<html lang="ru">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="description" content="DESCRIPTION">
    <link rel="canonical" href="https://SITE_URL/">
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/${style}">
  </head>
  <body>
${body}  </body>
</html>
`;

const LANDING = {
  'index.html': page(
    'style.css',
    `    <header class="hero">
      <h1>TITLE</h1>
      <p>DESCRIPTION</p>
    </header>
    <main>BODY</main>
    <footer>© SITE_URL</footer>
`,
  ),
  'style.css': `:root { color-scheme: light dark; font: 17px/1.6 system-ui, sans-serif }
body { margin: 0 }
.hero { padding: 12vh 6vw; background: #12395b; color: #fff }
main { max-width: 46rem; margin: 3rem auto; padding: 0 1.5rem }
footer { padding: 2rem; text-align: center; opacity: .7 }
img { max-width: 100%; height: auto }
`,
  'favicon.svg': icon('#12395b'),
  'robots.txt': ROBOTS,
  'sitemap.xml': sitemap(''),
};

const BLOG_HEAD = `    <header>
      <a class="logo" href="/">SITE_URL</a>
      <button id="menu" aria-expanded="false" aria-controls="links">Меню</button>
      <nav id="links"><a href="/">Записи</a> <a href="/about.html">Об авторе</a></nav>
    </header>
`;

const BLOG = {
  'index.html': page(
    'css/blog.css',
    `${BLOG_HEAD}    <article>
      <h1>TITLE</h1>
      <p class="lead">DESCRIPTION</p>
      BODY
    </article>
    <script src="/js/menu.js"></script>
`,
  ),
  'about.html': page(
    'css/blog.css',
    `${BLOG_HEAD}    <article>
      <h1>Об авторе</h1>
      <p>Пишу на SITE_URL. Вопросы – на почту: mail@SITE_URL.</p>
    </article>
    <script src="/js/menu.js"></script>
`,
    'Об авторе – TITLE',
  ),
  'css/blog.css': `body { margin: 0 auto; max-width: 42rem; padding: 0 1.25rem; font: 18px/1.7 Georgia, serif; color: #222; background: #fffdf8 }
header { display: flex; gap: 1rem; align-items: center; padding: 1.5rem 0; border-bottom: 1px solid #ddd }
.logo { flex: 1; font-weight: bold; text-decoration: none; color: inherit }
.lead { font-size: 1.2em; color: #555 }
#menu { display: none }
@media (max-width: 30rem) { #menu { display: block } #links:not(.open) { display: none } }
`,
  'js/menu.js': `const button = document.getElementById('menu');
button.addEventListener('click', () => {
  const open = document.getElementById('links').classList.toggle('open');
  button.setAttribute('aria-expanded', String(open));
});
`,
  'feed.xml': `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>TITLE</title><link>https://SITE_URL/</link><description>DESCRIPTION</description></channel></rss>
`,
  'favicon.svg': icon('#8a3b12'),
  'robots.txt': ROBOTS,
  'sitemap.xml': sitemap('', 'about.html'),
};

const CATALOGUE = {
  'index.html': page(
    'assets/catalogue.css',
    `    <header><strong>SITE_URL</strong><nav><a href="/">Каталог</a> <a href="/contacts.html">Контакты</a></nav></header>
    <main>
      <h1>TITLE</h1>
      <p>DESCRIPTION</p>
      <section class="goods">BODY</section>
    </main>
`,
  ),
  'contacts.html': page(
    'assets/catalogue.css',
    `    <header><strong>SITE_URL</strong><nav><a href="/">Каталог</a> <a href="/contacts.html">Контакты</a></nav></header>
    <main>
      <h1>Контакты</h1>
      <p>Почта: sales@SITE_URL</p>
    </main>
`,
    'Контакты – TITLE',
  ),
  '404.html': page(
    'assets/catalogue.css',
    `    <main><h1>Нет такой страницы</h1><p><a href="/">На главную</a></p></main>\n`,
  ),
  'assets/catalogue.css': `body { margin: 0; font: 16px/1.5 "Segoe UI", Roboto, sans-serif; background: #f4f6f8; color: #1c2733 }
header { display: flex; justify-content: space-between; padding: 1rem 5vw; background: #fff; box-shadow: 0 1px 4px #0002 }
main { padding: 2rem 5vw }
.goods { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem }
`,
  'favicon.svg': icon('#1c7c54'),
  'robots.txt': ROBOTS,
  'sitemap.xml': sitemap('', 'contacts.html'),
};

/** The name of each template, and its ZIP. The id of a template is its place, from 1. */
export const TEMPLATES = [
  { name: 'Одностраничник', file_name: 'landing.zip', archive: zipOf(LANDING) },
  { name: 'Блог', file_name: 'blog.zip', archive: zipOf(BLOG) },
  { name: 'Каталог', file_name: 'catalogue.zip', archive: zipOf(CATALOGUE) },
];

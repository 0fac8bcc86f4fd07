// Addresses of results as services send them, what they are read as, and whose place they are.

/** `site` is the domain whose place it is; null: of none of `SOUGHT`. */
export interface Address {
  raw: string;
  url: string;
  site: string | null;
}

/** The domains that are looked for: neighbours in every way in which names may be alike. */
export const SOUGHT = [
  'a.ru',
  'shop.b.ru',
  'b.ru',
  'a.com.ru',
  'xn--c1aolabgdj7g.xn--p1ai',
  'xn--mnchen-3ya.example',
  'www.c.example',
  'www.ru',
  'a-b.ru',
];

const of = (site: string | null, raw: string, url = raw): Address => ({ raw, url, site });

export const ADDRESSES: Address[] = [
  // The host itself, however it is written.
  of('a.ru', 'https://a.ru/'),
  of('a.ru', 'http://a.ru/katalog/?page=2#top'),
  of('a.ru', 'https://www.a.ru/'),
  of('a.ru', 'HTTPS://WWW.A.RU/Katalog', 'https://www.a.ru/Katalog'),
  of('a.ru', 'https://A.Ru', 'https://a.ru/'),
  of('a.ru', 'https://a.ru./x', 'https://a.ru./x'),
  of('a.ru', 'https://a.ru:443/x', 'https://a.ru/x'),
  of('a.ru', 'https://a.ru:8443/x'),
  of('a.ru', 'https://ann:secret@a.ru/x', 'https://a.ru/x'),
  of('a.ru', '//a.ru/x', 'https://a.ru/x'),
  of('a.ru', 'a.ru/x', 'https://a.ru/x'),
  of('a.ru', 'www.a.ru', 'https://www.a.ru/'),
  of('a.ru', '\n  https://a.ru/x\t', 'https://a.ru/x'),
  of(
    'a.ru',
    'https://a.ru/поиск?q=два слова',
    'https://a.ru/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA?q=%D0%B4%D0%B2%D0%B0%20%D1%81%D0%BB%D0%BE%D0%B2%D0%B0',
  ),
  // Subdomains: of the domain, unless they are domains of their own.
  of('a.ru', 'https://m.a.ru/'),
  of('a.ru', 'https://www.shop.a.ru/'),
  of('shop.b.ru', 'https://shop.b.ru/'),
  of('shop.b.ru', 'https://www.shop.b.ru/'),
  of('shop.b.ru', 'https://new.shop.b.ru/'),
  of('b.ru', 'https://blog.b.ru/'),
  of('b.ru', 'https://www.b.ru/'),
  of('www.c.example', 'https://c.example/'),
  of('www.c.example', 'https://www.c.example/'),
  // Names that are only alike.
  of(null, 'https://xa.ru/'),
  of(null, 'https://a.ru.example/'),
  of(null, 'https://a.ru-shop.example/'),
  of(null, 'https://other.example/?q=https://a.ru/'),
  of(null, 'https://other.example/a.ru/'),
  of(null, 'https://a.ru@other.example/', 'https://other.example/'),
  of(null, 'https://com.ru/'),
  of(null, 'https://b.com.ru/'),
  of('a.com.ru', 'https://a.com.ru/'),
  of('www.ru', 'https://www.ru/'),
  of(null, 'https://x.ru/'),
  of(null, 'https://xn--mnchen-3ya.com/'),
  of('a-b.ru', 'https://a-b.ru/'),
  // International names, in letters and as punycode.
  of('xn--c1aolabgdj7g.xn--p1ai', 'https://гороскопы.рф/', 'https://xn--c1aolabgdj7g.xn--p1ai/'),
  of('xn--c1aolabgdj7g.xn--p1ai', 'https://WWW.ГОРОСКОПЫ.РФ/', 'https://www.xn--c1aolabgdj7g.xn--p1ai/'),
  of('xn--c1aolabgdj7g.xn--p1ai', 'https://XN--C1AOLABGDJ7G.xn--p1ai/x', 'https://xn--c1aolabgdj7g.xn--p1ai/x'),
  of('xn--c1aolabgdj7g.xn--p1ai', 'гороскопы.рф/лев', 'https://xn--c1aolabgdj7g.xn--p1ai/%D0%BB%D0%B5%D0%B2'),
  of('xn--mnchen-3ya.example', 'https://mu\u0308nchen.example/', 'https://xn--mnchen-3ya.example/'),
  // Counters of clicks: the target counts.
  of('a.ru', 'https://www.google.com/url?sa=t&q=https%3A%2F%2Fa.ru%2Fp&usg=x', 'https://a.ru/p'),
  of('a.ru', 'https://www.google.ru/url?sa=t&q=&url=https://a.ru/', 'https://a.ru/'),
  of('a.ru', 'https://www.google.com.tr/url?q=http://www.a.ru/', 'http://www.a.ru/'),
  of('a.ru', 'https://yandex.ru/clck/jsredir?from=x&url=https%3A%2F%2Fa.ru%2F', 'https://a.ru/'),
  of(
    'a.ru',
    'https://yandex.ru/clck/jsredir?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%3A%2F%2Fa.ru%2F',
    'https://a.ru/',
  ),
  of(null, 'https://yandex.ru/clck/jsredir?from=x&etext=y'),
  of(null, 'https://yandex.ru/clck/jsredir?url=javascript:alert(1)'),
  of(null, 'https://www.google.com/urls?q=https://a.ru/'),
  of(null, 'https://other.example/url?q=https://a.ru/'),
  of(null, 'https://google.com.other.example/url?q=https://a.ru/'),
  // Copies in the caches of engines: the original counts.
  of('a.ru', 'https://yandex.ru/turbo?text=https%3A%2F%2Fa.ru%2Fp&promo=navbar', 'https://a.ru/p'),
  of('a.ru', 'https://yandex.ru/turbo?text=a.ru%2Fp%2F', 'https://a.ru/p/'),
  of('a.ru', 'https://yandex.ru/turbo/a.ru/s/p/', 'https://a.ru/p/'),
  of('a.ru', 'https://yandex.ru/turbo/s/a.ru/p/', 'https://a.ru/p/'),
  of('a.ru', 'https://a-ru.turbopages.org/a.ru/s/p/?x=1', 'https://a.ru/p/?x=1'),
  of('a-b.ru', 'https://a--b-ru.turbopages.org/a-b.ru/s/', 'https://a-b.ru/'),
  of(null, 'https://yandex.ru/turbo?text=lpc/42'),
  of(null, 'https://turbopages.org.other.example/a.ru/s/p/'),
  of('a.ru', 'https://www-a-ru.cdn.ampproject.org/c/s/www.a.ru/p?amp=1', 'https://www.a.ru/p?amp=1'),
  of('a.ru', 'https://cdn.ampproject.org/v/s/a.ru', 'https://a.ru/'),
  of('a.ru', 'https://www.google.com/amp/s/a.ru/amp/p', 'https://a.ru/amp/p'),
  of(null, 'https://notcdn.ampproject.org.example/c/s/a.ru/p'),
  // Translations are pages of the translator's own.
  of(null, 'https://translate.google.com/translate?sl=ru&tl=en&u=https://a.ru/'),
  of(null, 'https://a-ru.translate.goog/?_x_tr_sl=ru'),
  of(null, 'https://translated.turbopages.org/proxy_u/en-ru.ru.1-2-3/https/a.ru/p'),
  // No addresses of the web.
  of(null, 'javascript:alert(1)', ''),
  of(null, 'tel:+74950000000', ''),
  of(null, 'http://Доставка по России', ''),
  of(null, 'http://', ''),
  of(null, '/p', ''),
  of(null, '', ''),
  of(null, `https://${'a.'.repeat(130)}ru/`, ''),
];

// Runs before the first paint, so that a dark page does not flash white. A file of its own: the content policy allows
// no inline script.
(function () {
  var cookie = function (name) {
    return (document.cookie.match('(?:^|; )' + name + '=([^;]*)') || [])[1];
  };
  var theme = cookie('theme');
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (dark) document.documentElement.classList.add('bp6-dark');
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  if (cookie('lang') === 'en') document.documentElement.lang = 'en';
})();

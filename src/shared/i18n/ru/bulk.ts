/** Work on many domains: the selection, its bar, plans and results. */
export const bulk = {
  'bulk.many_names': 'Не больше 10 000 имён за раз: возьмите фильтр',
  'bulk.names_or_filter': 'Укажите либо names, либо filter',
  'bulk.no_fields': 'Выберите, что изменить',
  'bulk.changed':
    'Пока вы смотрели, выбор изменился: теперь в нём {n} {n|домен|домена|доменов}. Проверьте план ещё раз',
  'bulk.moving': 'Идёт перенос',
  'bulk.busy': 'С доменом работает другая операция',
  'bulk.edited': 'Изменено: {n} {n|домен|домена|доменов}',
  'bulk.deleted': 'Удалено: {n} {n|домен|домена|доменов}',
  'bulk.nothing_back': 'Вернуть нечего: всё уже изменили снова',
};

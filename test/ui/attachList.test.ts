import { expect, it } from 'vitest';
import { parseAttachList } from '../../ui/dns/attachList.ts';

it('parseAttachList splits at line breaks, commas and semicolons, and normalizes each domain', () => {
  expect(parseAttachList(' https://One.com/ ,two.com;\r\nпример.рф\n\n')).toEqual({
    total: 3,
    hosts: ['one.com', 'two.com', 'xn--e1afmkfd.xn--p1ai'],
    duplicates: 0,
    faults: [],
  });
});

it('parseAttachList counts duplicates and returns the lines of invalid entries', () => {
  expect(parseAttachList('one.com\nno domain\nONE.com, ?, nor_this')).toEqual({
    total: 5,
    hosts: ['one.com'],
    duplicates: 1,
    faults: [2, 3, 3],
  });
  expect(parseAttachList(' ,;\n')).toEqual({ total: 0, hosts: [], duplicates: 0, faults: [] });
});

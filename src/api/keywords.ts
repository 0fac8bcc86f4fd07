import { addKeyword, deleteKeyword, listKeywords, updateKeyword } from '../services/positions/keywords.ts';
import { translate } from '../shared/i18n/index.ts';
import { KeywordChange, KeywordInput } from '../shared/positions/keywords.ts';
import { idOf, route } from './http/route.ts';

export const keywords = {
  'GET /api/keywords/:projectId': route({
    summary: 'The keywords of a project, as they were added',
    run: ({ actor, params }) => listKeywords(actor, idOf(params, 'projectId')),
  }),
  'POST /api/keywords': route({
    summary: 'Add a keyword to a project; 409 where it has it, whatever its case and blanks',
    body: KeywordInput,
    run: ({ actor, body }) => addKeyword(actor, body),
  }),
  'PUT /api/keywords/:id': route({
    summary: 'Set tags, wanted page and frequency of a keyword; what is absent stays',
    body: KeywordChange,
    run: async ({ actor, params, body }) => ({ data: await updateKeyword(actor, idOf(params), body) }),
  }),
  'DELETE /api/keywords/:id': route({
    summary: 'Delete a keyword with all positions that were found for it',
    run: async ({ actor, params, language }) => {
      const { value } = await deleteKeyword(actor, idOf(params));
      return { message: translate(language, 'keyword.deleted', { keyword: value }) };
    },
  }),
};

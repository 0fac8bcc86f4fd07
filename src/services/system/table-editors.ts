import type { z } from 'zod';
import { users } from '../../shared/access/tables.ts';
import { TelegramInput } from '../../shared/access/users.ts';
import { CloudflareGroupChange, CloudflareGroupInput } from '../../shared/accounts/cloudflare-groups.ts';
import { fieldsOf } from '../../shared/accounts/kind.ts';
import { KINDS, type Kind } from '../../shared/accounts/kinds.ts';
import { changeOf, inputOf } from '../../shared/accounts/shapes.ts';
import { cloudflareGroups } from '../../shared/accounts/tables.ts';
import { DomainInput } from '../../shared/portfolio/domains.ts';
import { ProjectChange, ProjectInput } from '../../shared/portfolio/projects.ts';
import { domains, projects } from '../../shared/portfolio/tables.ts';
import { KeywordChange, KeywordInput } from '../../shared/positions/keywords.ts';
import { keywords } from '../../shared/positions/tables.ts';
import { purchases } from '../../shared/purchases/tables.ts';
import { TemplateChange } from '../../shared/sites/templates.ts';
import { templates } from '../../shared/sites/tables.ts';
import { AppError } from '../../shared/errors.ts';
import type { Table } from '../../shared/table.ts';
import { transferHistory } from '../../shared/transfers/tables.ts';
import type { Actor } from '../access/scope.ts';
import { setTelegram } from '../access/users.ts';
import { createAccount } from '../accounts/accounts.ts';
import { editAccount } from './edits/account-edit.ts';
import { createCloudflareGroup, updateCloudflareGroup } from '../accounts/cloudflare-groups.ts';
import { deleteTeamRow } from '../accounts/team.ts';
import { createDomain, deleteDomain, DomainChange, giveToUser, updateDomain } from '../portfolio/domains.ts';
import { createProject, deleteProject, updateProject } from '../portfolio/projects.ts';
import { addKeyword, deleteKeyword, updateKeyword } from '../positions/keywords.ts';
import { updateTemplate } from '../sites/templates.ts';

type Fields = Record<string, unknown>;
type Shape = z.ZodObject;

/**
 * The writes to a table: by the services of its noun, whose validation, rights and audit hold here as well. A write without
 * its function is refused.
 */
export interface TableEditor {
  table: Table;
  /** Columns that are not shown: what the program keeps for itself. */
  hides: readonly string[];
  /** Its services call outside, so they can't be called in a transaction. */
  isOutside?: true;
  add?: { shape: Shape; run: (actor: Actor, fields: Fields) => Promise<{ id: number }> };
  /** `run` gets the changed fields alone. */
  edit?: { shape: Shape; run: (actor: Actor, id: number, fields: Fields) => Promise<unknown> };
  remove?: (actor: Actor, id: number) => Promise<unknown>;
  /** Columns that are edited with the secret alone, which the log has not. */
  withSecret?: readonly string[];
  /** A column that an edit of others sets, and how the log gives it back after these: `former` has what a row had before. */
  follows?: { column: string; giveBack: (id: number, former: Readonly<Fields>) => Promise<void> };
}

const TEST = ['check_error'];

const accountEditor = (kind: Kind): TableEditor => ({
  table: kind.table,
  hides: TEST,
  isOutside: true,
  add: {
    shape: inputOf(kind) as unknown as Shape,
    run: (actor, fields) => createAccount(actor, kind, fields as never, 'masked'),
  },
  edit: {
    shape: changeOf(kind) as unknown as Shape,
    run: (actor, id, fields) => editAccount(actor, kind, id, fields as never, 'masked'),
  },
  remove: (actor, id) => deleteTeamRow(actor, kind.table.name, id),
  withSecret: fieldsOf(kind).flatMap(([name, field]) => (field.kind === 'host' ? [name] : [])),
});

// The service calls the field as its form does.
async function addEditedKeyword(actor: Actor, { value, project_id }: Fields): Promise<{ id: number }> {
  try {
    return await addKeyword(actor, { keyword: String(value), project_id: Number(project_id) });
  } catch (error) {
    if (!(error instanceof AppError) || error.fields?.['keyword'] === undefined) throw error;
    const { kind, key, params, code, fields } = error;
    throw new AppError(kind, key, params, { code, fields: { value: fields?.['keyword'] ?? key } });
  }
}

const EDITORS: readonly TableEditor[] = [
  {
    table: projects,
    hides: ['deleted_at', 'deleted_domains'],
    add: { shape: ProjectInput, run: (actor, fields) => createProject(actor, fields as ProjectInput) },
    edit: {
      shape: ProjectChange,
      run: (actor, id, fields) => updateProject(actor, id, fields),
    },
    remove: deleteProject,
  },
  {
    table: domains,
    hides: ['deleted_at', 'import_id', 'name_claim', 'folder_claim', 'attached_claim'],
    add: { shape: DomainInput, run: (actor, fields) => createDomain(actor, fields as DomainInput) },
    edit: {
      shape: DomainChange,
      run: (actor, id, fields) => updateDomain(actor, id, fields, Object.keys(fields)),
    },
    remove: deleteDomain,
    follows: {
      column: 'user_id',
      giveBack: async (id, { project_id, user_id }) => {
        // With a project it belongs to the project's owner.
        if (project_id === null && typeof user_id === 'number') await giveToUser(id, user_id);
      },
    },
  },
  {
    table: keywords,
    hides: ['normalized'],
    add: {
      shape: KeywordInput.omit({ keyword: true }).extend({ value: KeywordInput.shape.keyword }),
      run: addEditedKeyword,
    },
    edit: { shape: KeywordChange, run: (actor, id, fields) => updateKeyword(actor, id, fields) },
    remove: deleteKeyword,
  },
  ...KINDS.map((kind) => accountEditor(kind)),
  {
    table: cloudflareGroups,
    hides: [],
    add: {
      shape: CloudflareGroupInput,
      run: (actor, fields) => createCloudflareGroup(actor, fields as CloudflareGroupInput),
    },
    edit: { shape: CloudflareGroupChange, run: (actor, id, fields) => updateCloudflareGroup(actor, id, fields) },
    remove: (actor, id) => deleteTeamRow(actor, 'cloudflare_groups', id),
  },
  {
    table: templates,
    hides: [],
    edit: { shape: TemplateChange, run: (actor, id, fields) => updateTemplate(actor, id, fields, undefined, null) },
    remove: (actor, id) => deleteTeamRow(actor, 'templates', id),
  },
  {
    table: users,
    hides: ['password'],
    edit: {
      shape: TelegramInput.partial(),
      run: (_, id, { telegram }) => setTelegram(id, (telegram as string | undefined) ?? ''),
    },
  },
  { table: transferHistory, hides: ['warning'] },
  { table: purchases, hides: ['error', 'evidence', 'periods', 'reference'] },
];

/** The tables of the editor by name. No other table exists for it. */
export const TABLE_EDITORS: ReadonlyMap<string, TableEditor> = new Map(
  EDITORS.map((editor) => [editor.table.name, editor]),
);

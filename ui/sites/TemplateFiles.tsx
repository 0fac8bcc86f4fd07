import { Tag } from '@blueprintjs/core';
import { PLACEHOLDERS, type TemplateView } from '../../src/shared/sites/templates.ts';
import { useCall } from '../kit/api.ts';
import { Failed, Skeleton } from '../kit/table/DataTable.tsx';
import { InfoDialog } from '../kit/dialog/InfoDialog.tsx';
import { T } from '../kit/T.tsx';
import { nameOf, treeOf, type Folder } from './templateTree.ts';
import { useFormats, useT } from '../kit/language.ts';

// A longer tree would not fit the screen and starts collapsed.
const FEW = 40;

function Tree({ folder, open }: { folder: Folder; open: boolean }) {
  const formats = useFormats();
  return (
    <ul className="template-tree">
      {folder.folders.map((inner) => (
        <li key={inner.path}>
          <details open={open}>
            <summary translate="no">{inner.name}/</summary>
            <Tree folder={inner} open={open} />
          </details>
        </li>
      ))}
      {folder.files.map((file) => (
        <li key={file.path} className="template-file">
          <span translate="no">{nameOf(file)}</span> <span className="muted">{formats.bytes(file.size)}</span>
          {file.placeholders.map((name) => (
            <Tag key={name} minimal translate="no">
              {name}
            </Tag>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Lists the files of a template as a tree, with the placeholders found in each. */
export function TemplateFiles({ template, onClose }: { template: TemplateView; onClose: () => void }) {
  const t = useT();
  const { data, error, refetch } = useCall('GET /api/templates/:id', { params: { id: template.id } });
  const found = data?.data;
  return (
    <InfoDialog width={640} title={<T k="templates.files_title" name={template.name} />} onClose={onClose}>
      {error && !found && (
        <Failed sentence="templates.files_failed" reason={error.message} retry={() => void refetch()} />
      )}
      {!found && !error && <Skeleton label={t('ui.loading')} />}
      {found && (
        <>
          {PLACEHOLDERS.filter((name) => !found.placeholders.includes(name)).map((name) => (
            <p key={name} className="muted">
              <T k="template.lacks" name={name} />
            </p>
          ))}
          <Tree folder={treeOf(found.entries)} open={found.entries.length <= FEW} />
        </>
      )}
    </InfoDialog>
  );
}

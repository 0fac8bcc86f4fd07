import { Button, Checkbox, HTMLSelect, InputGroup, Radio, RadioGroup, Switch, TextArea } from '@blueprintjs/core';
import { useState } from 'react';
import { Combobox } from '../form/Combobox.tsx';
import { FileDrop } from '../form/FileDrop.tsx';
import { Failure, Field } from '../form/Form.tsx';
import { SearchField } from '../form/SearchField.tsx';
import { useT } from '../language.ts';
import { Panel } from '../Panel.tsx';
import { T } from '../T.tsx';

const NAMES = ['astro-mir.ru', 'astro-blog.ru', 'dacha-mir.com'];

function Choices() {
  const t = useT();
  const [choice, setChoice] = useState(NAMES[0]);
  const [name, setName] = useState<string | null>(null);
  return (
    <>
      <Field label={<T k="kit.choice" />}>{(control) => <HTMLSelect fill {...control} options={NAMES} />}</Field>
      <Combobox label={<T k="kit.choice" />} items={NAMES} value={name} onChange={setName} text={(item) => item} />
      <RadioGroup
        label={t('kit.choice')}
        selectedValue={choice ?? ''}
        onChange={(event) => setChoice(event.currentTarget.value)}
      >
        {NAMES.slice(0, 2).map((value) => (
          <Radio key={value} value={value} label={value} />
        ))}
      </RadioGroup>
      <Switch defaultChecked labelElement={<T k="kit.switch" />} />
      <Switch labelElement={<T k="kit.switch" />} />
      <Checkbox defaultChecked labelElement={<T k="kit.checkbox" />} />
      <Checkbox disabled labelElement={<T k="kit.disabled" />} />
    </>
  );
}

/** Every kind of field: as it is, with a hint, wrong, read-only, and disabled. */
export function FormParts() {
  const t = useT();
  const [file, setFile] = useState<File | null>(null);
  return (
    <Panel title={<T k="kit.forms" />}>
      <div className="kit-gap">
        <SearchField label={t('sites.search')} value="" onChange={() => undefined} />
      </div>
      <Field label={<T k="kit.field" />} help={<T k="kit.help" />}>
        {(control) => <InputGroup {...control} defaultValue={NAMES[0]} />}
      </Field>
      <Field label={<T k="kit.field" />} error={t('kit.wrong')}>
        {(control) => <InputGroup {...control} intent="danger" defaultValue="???" />}
      </Field>
      <Field label={<T k="kit.fixed" />}>
        {(control) => <InputGroup {...control} readOnly defaultValue={NAMES[1]} />}
      </Field>
      <Field label={<T k="kit.disabled" />}>{(control) => <InputGroup {...control} disabled />}</Field>
      <Field label={<T k="kit.text" />}>
        {(control) => <TextArea {...control} fill rows={3} defaultValue={NAMES.join('\n')} />}
      </Field>
      <FileDrop label={<T k="kit.field" />} accept=".zip" file={file} onChange={setFile} />
      <Choices />
      <div className="kit-gap">
        <Failure text={t('ui.failed')} />
      </div>
      <Button intent="primary" text={<T k="team.save" />} />
    </Panel>
  );
}

import type { Child } from 'hono/jsx';
import type { Schema } from '../../lib/openapi.ts';
import { Inline } from '../ui/inline-text.tsx';

const nameOf = (ref: string) => ref.split('/').at(-1) as string;

/** The text of a type; a record's name links to the record. */
export const Type = ({ schema }: { schema: Schema }): Child => {
  const { $ref, type, format, items, additionalProperties, anyOf } = schema;
  if ($ref) return <a href={`#${nameOf($ref)}`}>{nameOf($ref)}</a>;
  if (anyOf) return anyOf.flatMap((each, index) => [index > 0 && ' or ', <Type schema={each} />]);
  const [name, ...others] = [type ?? 'any'].flat();
  return (
    <>
      {name === 'array' && items ? (
        <>
          array of <Type schema={items} />
        </>
      ) : name === 'object' && additionalProperties ? (
        <>
          map of <Type schema={additionalProperties} />
        </>
      ) : (
        (format && FORMAT_NAMES[format]) || name
      )}
      {others.map((other) => ` or ${other}`)}
    </>
  );
};

const FORMAT_NAMES: Record<string, string> = { 'date-time': 'time', uri: 'string' };

export interface MemberProps {
  name: string;
  schema: Schema;
  text: string;
  /** A note next to the type, such as required or the parameter's location. */
  note?: string;
}

/** Members of a record, or parameters of an operation. */
export const MemberTable = ({ title, members }: { title: string; members: readonly MemberProps[] }) => (
  <table>
    <caption>{title}</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Type</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      {members.map(({ name, schema, text, note }) => (
        <tr>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td class="type">
            <Type schema={schema} />
            {note && <span class="tag">{note}</span>}
          </td>
          <td>
            <Inline text={text} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** A record. Members are noted only where they may be absent. */
export const Record = ({ name, schema }: { name: string; schema: Schema }) => {
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required);
  const all = required.size === properties.length;
  return (
    <article class="record" id={name}>
      <h3>
        <a href={`#${name}`}>{name}</a>
      </h3>
      <p>{schema.description}</p>
      <MemberTable
        title={`Members of ${name}`}
        members={properties.map(([member, each]) => ({
          name: member,
          schema: each,
          text: each.description ?? '',
          note: !all && required.has(member) ? 'required' : undefined,
        }))}
      />
      {schema.examples && (
        <details>
          <summary>Example</summary>
          <pre>
            <code>{JSON.stringify(schema.examples[0], null, 2)}</code>
          </pre>
        </details>
      )}
    </article>
  );
};

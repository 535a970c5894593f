import type { Child } from 'hono/jsx';
import { Name } from '../../ui/name.tsx';
import { Form, TextInput } from '../ui/fields.tsx';
import { hrefOf, Row, Rows } from '../ui/parts.tsx';
import { type PolicyViewProps, pathOf } from './policy-props.ts';

/** Assigns a policy to the organization, to a project, or to a part of one. */
export const AssignForm = (props: PolicyViewProps) => (
  <section class="card" aria-labelledby="assign">
    <h2 id="assign">Assign it</h2>
    {props.parts ? <Parts {...props} parts={props.parts} /> : <Projects {...props} />}
  </section>
);

/** A button that assigns the policy to something. */
const Assign = ({
  fields,
  text,
  ...props
}: PolicyViewProps & { fields: Record<string, string>; text: string }) => (
  <Form action={`${pathOf(props)}/assign`} formToken={props.visit.formToken} class="one">
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class="small plain">
      {text}
    </button>
  </Form>
);

const Projects = (props: PolicyViewProps) => (
  <>
    <Assign {...props} fields={{ scope: 'wholeOrganization' }} text="Assign to the whole organization" />
    <form class="inline" method="get" action={`${pathOf(props)}#assign`}>
      <TextInput
        name="search"
        label="Beginning of the name of a project"
        type="search"
        value={props.search}
      />
      <button type="submit" class="plain small">
        Find
      </button>
    </form>
    {props.projects && (
      <Rows count={props.projects.nodes.length} empty="No project begins so.">
        {props.projects.nodes.map(({ id, name }) => (
          <Row
            buttons={
              <>
                <a class="button small plain" href={`${hrefOf(pathOf(props), { project: id })}#assign`}>
                  A part of it
                </a>
                <Assign {...props} fields={{ scope: 'project', project: id }} text="Assign" />
              </>
            }
          >
            <Name of={name} maxLength={80} />
          </Row>
        ))}
      </Rows>
    )}
  </>
);

const Parts = ({ parts, ...props }: PolicyViewProps & { parts: NonNullable<PolicyViewProps['parts']> }) => (
  <>
    <p>
      Parts of <Name of={parts.name} maxLength={80} />: folders, and values of its fields.
    </p>
    <Rows count={1} empty="">
      {parts.folders.nodes.map(({ id, path }) => (
        <Part {...props} fields={{ scope: 'folder', folder: id }}>
          Folder <bdi>{path}</bdi>
        </Part>
      ))}
      {parts.fields.nodes.flatMap(({ id, name, choices }) =>
        choices.nodes.map(({ value }) => (
          <Part {...props} fields={{ scope: 'choice', field: id, value }}>
            <Name of={name} maxLength={80} /> is <Name of={value} maxLength={80} />
          </Part>
        )),
      )}
    </Rows>
  </>
);

const Part = ({
  children,
  fields,
  ...props
}: PolicyViewProps & { children: Child; fields: Record<string, string> }) => (
  <Row buttons={<Assign {...props} fields={fields} text="Assign" />}>{children}</Row>
);

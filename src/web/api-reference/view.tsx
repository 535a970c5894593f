import { ERROR_CODES } from '../../domain/kernel/errors.ts';
import type { OpenApi } from '../../lib/openapi.ts';
import { Inline, Paragraphs } from '../ui/inline-text.tsx';
import { Brand, Document } from '../ui/layout.tsx';
import { OperationArticle, type OperationProps, operationsOf } from './operation.tsx';
import { Record } from './schema.tsx';
import { REFERENCE_STYLE } from './style.ts';

interface Section {
  id: string;
  title: string;
  about: string;
  operations: OperationProps[];
}

const sectionsOf = (description: OpenApi): Section[] => {
  const operations = operationsOf(description);
  return description.tags.map(({ name, description: about }) => ({
    id: name.toLowerCase().replace(/\W+/g, '-'),
    title: name,
    about,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
};

/** API reference: parameters and responses of each operation, and every record. It needs no script. */
export const ApiReference = ({ description }: { description: OpenApi }) => {
  const sections = sectionsOf(description);
  const { info } = description;
  return (
    <Document title={info.title} style={REFERENCE_STYLE}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <Brand />
        <a href="/api/v1/openapi.json">openapi.json</a>
      </header>
      <div class="sides">
        <Contents sections={sections} />
        <main id="main">
          <h1>{info.title}</h1>
          <p class="lead">{info.summary}</p>
          <Paragraphs text={info.description} />
          <pre>
            <code>{description.servers[0]?.url}</code>
          </pre>
          {sections.map((section) => (
            <Operations {...section} />
          ))}
          <Errors description={description} />
          <Records description={description} />
        </main>
      </div>
    </Document>
  );
};

const Operations = ({ id, title, about, operations }: Section) => (
  <section id={id}>
    <h2>{title}</h2>
    <p class="lead">{about}</p>
    {operations.map((operation) => (
      <OperationArticle {...operation} />
    ))}
  </section>
);

const Contents = ({ sections }: { sections: Section[] }) => (
  <nav aria-label="Contents">
    <ul>
      {sections.map(({ id, title, operations }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
          <ul>
            {operations
              .filter(({ operation }) => !operation.deprecated)
              .map(({ operation }) => (
                <li>
                  <a href={`#${operation.operationId}`}>{operation.summary}</a>
                </li>
              ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#errors">Errors</a>
      </li>
      <li>
        <a href="#records">Records</a>
      </li>
    </ul>
  </nav>
);

const Records = ({ description }: { description: OpenApi }) => (
  <section id="records">
    <h2>Records</h2>
    {Object.entries(description.components.schemas).map(([name, schema]) => (
      <Record name={name} schema={schema} />
    ))}
  </section>
);

/** The error responses, to which the operations link, and the codes, to which the `type` of a problem links. */
const Errors = ({ description }: { description: OpenApi }) => (
  <section id="errors">
    <h2>Errors</h2>
    <p class="lead">
      The body of an error response is a <a href="#Problem">Problem</a>. The request changed nothing.
    </p>
    <table>
      <caption>Status codes other than 200</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Description</th>
        </tr>
      </thead>
      <tbody>
        {Object.values(description.components.responses).map((response) => {
          const { status } = response.content?.['application/json']?.example as { status: number };
          return (
            <tr id={`error-${status}`}>
              <th scope="row">{status}</th>
              <td>{response.description}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
    <Codes />
  </section>
);

const Codes = () => (
  <table>
    <caption>Codes</caption>
    <thead>
      <tr>
        <th scope="col">Code</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      {Object.entries(ERROR_CODES).map(([code, meaning]) => (
        <tr class="code" id={code.toLowerCase()}>
          <th scope="row">
            <code>{code}</code>
          </th>
          <td>
            <Inline text={meaning} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

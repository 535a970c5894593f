const ID = '[a-z]\\w*';
const NODE = `${ID}(?:\\[[^[\\]]+\\]|\\(\\[[^[\\]]+\\]\\)|\\{"[^"]+"\\})?`;
const NODES = `${NODE}(?: & ${NODE})*`;
const LINK = '(?:-->|---|-\\.->|-- [^-]+ -->|-->\\|[^|]+\\|)';

/** The statements that the diagrams of the documents use, by the kind of diagram. */
const STATEMENTS: Record<string, RegExp> = {
  flowchart: new RegExp(`^${NODES}(?: ${LINK} ${NODES})*$`),
  sequenceDiagram:
    /^(?:participant \w+ as .+|(?:\w+)-?->>\w+: .+|(?:loop|alt|opt|else|par|Note over) .+|end)$/,
};

/** The lines of a Mermaid diagram that are not statements of its kind. */
export function mermaidErrors(text: string): string[] {
  const [opening = '', ...lines] = text.trim().split('\n');
  const statement = STATEMENTS[opening.split(' ')[0] as string];
  if (!statement || !/^(flowchart (TB|TD|LR|RL|BT)|sequenceDiagram)$/.test(opening)) return [opening];
  return lines.map((line) => line.trim()).filter((line) => !statement.test(line));
}

import { graphCall, type Work } from '../work.ts';

const QUERY = `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id text } } }`;
const text = 'The dimension at grid line C differs from the model.';

export const comment: Work = {
  id: 'comment',
  title: 'Comment on a document',
  calls: ({ writing: { documentId: document } }) => ({
    limit: { method: 'POST', path: '/comment', body: { document, text } },
    graph: graphCall(QUERY, { input: { documentId: document, texts: [text] } }),
  }),
  same: (answer) =>
    (
      answer as { data: { createComments: { comments: { text: string }[] } } }
    ).data.createComments.comments.map((each) => each.text),
};

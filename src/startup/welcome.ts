/** What a server that is ready prints: where to begin, and how to sign in to the demo workspace if there is one. */
export function welcome(publicUrl: string, demo?: { email: string; password: string }): string[] {
  return [
    'Docgraph is ready.',
    `  Console        ${publicUrl}/console`,
    `  GraphiQL       ${publicUrl}/graphql`,
    `  API reference  ${publicUrl}/api/v1/docs`,
    ...(demo ? [`  Sign in as ${demo.email} with the password ${demo.password}`] : []),
  ];
}

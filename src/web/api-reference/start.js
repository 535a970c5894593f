// @ts-nocheck: this file runs in browsers, and the project has no types for them.
// Starts Swagger UI with the description of REST v1. A signed-in person's requests carry the session, unless a key is entered.

const { ids, pageToken } = JSON.parse(document.getElementById('settings').textContent);

/** The description for this page: requests go to the origin that served it, and parameters have ids of the viewer. */
function adapted(description) {
  const moved = ({ url, ...rest }) => ({
    ...rest,
    url: location.origin + new URL(url).pathname.replace(/\/$/, ''),
  });
  const { description: _, ...info } = description.info;
  const { oauth2, ...securitySchemes } = description.components.securitySchemes;
  return {
    ...description,
    info,
    servers: description.servers.map(moved),
    paths: mapValues(description.paths, (item) => adaptedPath(item, moved)),
    components: { ...description.components, securitySchemes },
  };
}

function adaptedPath({ servers, parameters, ...operations }, moved) {
  return {
    ...(servers && { servers: servers.map(moved) }),
    ...(parameters && { parameters: parameters.map(withOwnId) }),
    ...mapValues(operations, (operation) => ({
      ...operation,
      security: operation.security.filter((each) => !each.oauth2),
    })),
  };
}

/** Signed in, an id is one of the viewer's, or is left to enter; without a session the sample shows its form. */
function withOwnId({ example, ...parameter }) {
  if (!pageToken) return { ...parameter, example };
  const id = ids[parameter.name];
  return id ? { ...parameter, example: id } : parameter;
}

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Sends the session with a request without a key. */
function withSession(request) {
  const isOwn = new URL(request.url, location.href).origin === location.origin;
  const hasKey = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  if (pageToken && isOwn && !hasKey) request.headers['Docgraph-Page-Token'] = pageToken;
  return request;
}

function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', apply);
  apply();
}

async function start() {
  followColorScheme();
  const response = await fetch('/api/v1/openapi.json');
  SwaggerUIBundle({
    spec: adapted(await response.json()),
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    requestInterceptor: withSession,
    showMutatedRequest: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

start();

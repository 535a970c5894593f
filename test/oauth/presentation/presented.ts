import sharp from 'sharp';
import { newOAuthWorld } from '../../support/oauth.ts';
import type { Answer, Person } from '../../support/world.ts';

const UPDATE = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client {
  id name homePageUrl privacyUrl logoPath verifiedAt version } } }`;

/** An application, and those who change it. */
export async function newPresentedWorld() {
  const world = await newOAuthWorld();
  const { db, owner, app, confidential } = world;
  const update = (input: object, person: Person = owner) =>
    person.graph(UPDATE, { input: { clientId: confidential.id, ...input } });
  return {
    ...world,
    update,
    /** The change is made. */
    async updated(input: object) {
      const { data, errors } = await update(input);
      if (errors) throw new Error(errors[0]?.message);
      return data.updateClient.client;
    },
    stored: () => db.prisma.client.findUniqueOrThrow({ where: { id: confidential.id } }),
    /** Kinds of the events of the application, oldest first. */
    async kinds() {
      const events = await db.prisma.event.findMany({
        where: { subjectId: confidential.id },
        orderBy: { sequence: 'asc' },
      });
      return events.map(({ kind }) => kind);
    },
    open: async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers }),
  };
}

/** The code of a refusal, and the member that it names. */
export const refusal = ({ errors }: Answer) =>
  errors?.map(({ extensions }) => [extensions.code, extensions.at])[0];

type Format = 'png' | 'jpeg' | 'webp' | 'gif';

/** A picture of one colour, in base64. */
export const picture = async (format: Format, width: number, height: number): Promise<string> =>
  (
    await sharp({ create: { width, height, channels: 3, background: '#c03' }, limitInputPixels: false })
      .withMetadata({ exif: { IFD0: { Copyright: 'Somebody of Acme' } } })
      [format]()
      .toBuffer()
  ).toString('base64');

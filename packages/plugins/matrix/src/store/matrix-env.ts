import { z } from 'zod'
import { matrixRoomId, matrixUserId } from '../client/matrix-event.ts'

/** Entries between commas, each of which must fit. */
const list = (entry: z.ZodType<string, string>) =>
  z
    .string()
    .max(20_000)
    .transform(text =>
      text
        .split(',')
        .map(one => one.trim())
        .filter(one => one !== ''),
    )
    .pipe(z.array(entry).min(1))

const inviter = z.union(
  [
    z.literal('all'),
    matrixUserId,
    z.string().regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/),
    z.string().regex(/^\[[\da-fA-F:.]+\](:\d{1,5})?$/),
  ],
  "must hold 'all', user ids or names of homeservers, with commas",
)

const roomName = z.string().regex(/^[!#][^\s\p{Cc}\p{Cs}]{1,254}$/u, 'must hold ids or aliases of rooms, with commas')

const baseUrl = z.url({ protocol: /^https?$/ }).refine(text => {
  if (!URL.canParse(text)) return true
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}, 'must not have a user name, a password, a query or a fragment in it')

export const matrixEnv = z.object({
  MATRIX_BASE_URL: baseUrl.optional().meta({
    description: 'The Matrix homeserver of the messaging bot. Blank switches the plugin off.',
    example: 'https://matrix.example.org',
  }),
  MATRIX_ORACLE_ADMIN_USER_ID: matrixUserId.optional().meta({
    description: "The bot's Matrix user.",
    example: '@oracle:matrix.example.org',
  }),
  MATRIX_ORACLE_ADMIN_PASSWORD: z.string().max(1_000).optional().meta({
    description: "The bot's password.",
    secret: true,
  }),
  MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,4000}$/, 'must be a token without white space')
    .optional()
    .meta({ description: "The bot's access token.", secret: true }),
  MATRIX_ORACLE_ACCOUNT_ROOM_ID: matrixRoomId.optional().meta({
    description: "The room for the bot's own account.",
    example: '!room:matrix.example.org',
  }),
  MATRIX_INVITES: list(inviter).default(['all']).meta({
    description: 'Whose invitations are taken: `all`, or user ids and names of homeservers.',
    example: '@ada:example.org,field.example.org',
    defaultText: 'all',
  }),
  MATRIX_SHARED_ROOMS: list(roomName).optional().meta({
    description: 'Ids or aliases of the rooms to which people of other channels may have the oracle write.',
    example: '#field-team:matrix.example.org',
  }),
  MATRIX_ROOM_TOKENS: z.coerce.number().int().min(0).max(4_000).default(400).meta({
    description: "Most tokens that the memory of a group's talk may add to a turn in it, by estimate; 0 keeps none.",
    example: '400',
  }),
  MATRIX_START_SECONDS: z.coerce.number().int().min(1).max(55).default(20).meta({
    description: 'How long boot waits for the homeserver before it goes on without it.',
    example: '20',
  }),
})

export type MatrixEnv = z.output<typeof matrixEnv>

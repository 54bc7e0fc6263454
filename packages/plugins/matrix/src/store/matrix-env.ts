import { z } from 'zod'
import { matrixRoomId, matrixUserId } from '../client/matrix-event.ts'

/** Returns the schema of a comma-separated list. */
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
  "must be 'all', or user ids and names of homeservers, separated by commas",
)

const roomName = z
  .string()
  .regex(/^[!#][^\s\p{Cc}\p{Cs}]{1,254}$/u, 'must be ids or aliases of rooms, separated by commas')

const baseUrl = z.url({ protocol: /^https?$/ }).refine(text => {
  if (!URL.canParse(text)) return true
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}, 'must not contain a user name, a password, a query or a fragment')

export const matrixEnv = z.object({
  MATRIX_BASE_URL: baseUrl.optional().meta({
    description: 'The Matrix homeserver of the messaging bot. Blank disables the plugin.',
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
    description: 'Accepted inviters: `all`, or user ids and names of homeservers.',
    example: '@ada:example.org,field.example.org',
    defaultText: 'all',
  }),
  MATRIX_SHARED_ROOMS: list(roomName).optional().meta({
    description: 'Ids or aliases of the rooms to which users of other channels may have the oracle write.',
    example: '#field-team:matrix.example.org',
  }),
  MATRIX_ROOM_TOKENS: z.coerce.number().int().min(0).max(4_000).default(400).meta({
    description:
      'Maximum tokens of earlier group messages that are added to a turn, estimated; 0 stores no group messages.',
    example: '400',
  }),
  MATRIX_ENCRYPTION: z.enum(['on', 'off']).default('on').meta({
    description: 'Whether the bot reads and writes encrypted rooms; a thread for it starts with the first one.',
    example: 'on',
  }),
  MATRIX_START_SECONDS: z.coerce.number().int().min(1).max(55).default(20).meta({
    description: 'Time that the start waits for the homeserver before it continues without it.',
    example: '20',
  }),
})

export type MatrixEnv = z.output<typeof matrixEnv>

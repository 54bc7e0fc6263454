import { parseMnemonic } from '@sibyl/identity'
import { didText, normalDid } from '@sibyl/protocol'
import { isObjectUrl, objectStoreVariables } from '@sibyl/storage'
import { telemetryEnv } from '@sibyl/telemetry'
import { z } from 'zod'
import { line, seconds, webAddress } from './env-fields.ts'
import { environmentOf } from './environment.ts'
import { limitsEnv } from './limits-env.ts'
import { modelEnv } from './model-env.ts'

const isBareAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return true
  const { username, password, search, hash } = new URL(text)
  return [username, password, search, hash].every(part => part === '')
}

/** Returns a URL with its host in lower case and without a dot at its end, and without a default port and slashes at its end. */
const normalUrl = (text: string): string => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.hostname = url.hostname.replace(/\.$/, '')
  return url.href.replace(/\/+$/, '')
}

const did = didText.overwrite(normalDid)

const megabytes = z.coerce.number().int().min(0).max(1_000_000_000)

const tokens = z.coerce.number().int().min(0).max(1_000_000_000_000)

const mnemonicText = z
  .string()
  .max(1000)
  .superRefine((text, context) => {
    const parsed = parseMnemonic(text)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message.replace(/\.$/, '') })
  })

/**
 * The variables of core. Blank ones count as unset; `completeCoreEnv` sets those that depend on others. The
 * descriptions appear in `.env.example` and docs/reference/env.md.
 */
export const coreEnvSchema = z.object({
  NODE_ENV: line(40).overwrite(environmentOf).default('development').meta({
    description: 'The environment: `development`, `test`, or `production` with strict defaults, as which others count.',
    example: 'production',
  }),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .meta({ description: 'The port to listen on; 0 selects a free one.', example: '3000' }),
  HOST: line(255).regex(/^\S+$/).optional().meta({
    description: 'The address to listen on.',
    example: '127.0.0.1',
    defaultText: '127.0.0.1, in production 0.0.0.0',
  }),
  PUBLIC_URL: webAddress
    .refine(isBareAddress, 'must have no user, query or fragment')
    .overwrite(normalUrl)
    .optional()
    .meta({
      description: 'The public URL of the oracle. The did:web of the oracle and the DIDs of entities contain it.',
      example: 'https://oracle.example.org',
      defaultText: 'http://localhost:<PORT>',
    }),
  NETWORK: z.enum(['devnet', 'testnet', 'mainnet']).default('devnet').meta({
    description: 'The network the oracle is registered on.',
    example: 'devnet',
  }),
  DATABASE_URL: line(2000)
    .regex(/^(file:\S.*|memory:|:memory:|postgres(ql)?:\/\/\S+)$/, 'neither a file: nor a postgres: URL')
    .default('file:./.data/sibyl.db')
    .meta({
      description: 'The database: a SQLite file for one process, or PostgreSQL; `?schema=name` selects a schema.',
      example: 'postgres://user:password@host:5432/sibyl',
    }),
  DATABASE_DIRECT_URL: line(2000)
    .regex(/^postgres(ql)?:\/\/\S+$/, 'not a postgres: URL')
    .optional()
    .meta({
      description:
        'The same PostgreSQL database without a pooler, if DATABASE_URL leads to one that pools transactions.',
      example: 'postgres://user:password@host:5432/sibyl',
    }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(5).meta({
    description: 'Maximum connections of a process to PostgreSQL for reads, and again for writes.',
    example: '2',
  }),
  DATABASE_WAIT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(0).meta({
    description: 'Seconds that the start waits for a database that is not reachable yet, or in use.',
    example: '60',
  }),
  ORACLE_NAME: line(100).default('Oracle').meta({ description: 'The name of the oracle.', example: 'Field Oracle' }),
  ORACLE_DESCRIPTION: line(500).optional().meta({ description: 'The purpose of the oracle, in one sentence.' }),
  ORACLE_PROMPT: z.string().max(32_000).optional().meta({
    description: 'Instructions for the agent; they precede the rest of the system prompt.',
  }),
  ORACLE_ENTITY_DID: did.optional().meta({
    description: "The DID of the oracle's entity in the registry.",
    example: 'did:ixo:entity:…',
  }),
  ORACLE_MNEMONIC: mnemonicText.optional().meta({
    description: 'The mnemonic of the signing key, 12 or 24 words. Without it every authenticated route answers 401.',
    secret: true,
  }),
  ORACLE_ACCESS: z.enum(['open', 'delegated']).optional().meta({
    description:
      'Callers that may chat: any user who signs (open), or only users with a delegation from the oracle or a controller.',
    example: 'delegated',
    defaultText: 'open, in production delegated',
  }),
  ORACLE_CONTROLLERS: z
    .string()
    .max(10_000)
    .transform(text => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(did).max(50))
    .default([])
    .meta({
      description: 'DIDs that may grant access, separated by commas.',
      example: 'did:key:z6Mk…',
      defaultText: 'none',
    }),
  ORACLE_OPERATOR_TOKEN: line(500).regex(/^\S+$/).min(16).optional().meta({
    description: 'The bearer token of the operator routes; if unset, they are closed.',
    example: 'the output of openssl rand -hex 32',
    secret: true,
  }),
  ORACLE_ADAPTERS: line(500).optional().meta({
    description: 'Protocols for existing clients, separated by commas; `none` switches all off.',
    example: 'openai,a2a',
    defaultText: 'all, in production none',
  }),
  ORACLE_API_KEYS: z.string().max(50_000).optional().meta({
    description: 'API keys for clients that cannot sign, separated by commas: name:key[:scopes[:did]].',
    example: 'shop:<output of openssl rand -hex 32>:chat/*+session/read',
    secret: true,
  }),
  ORACLE_USER_FORWARDERS: z
    .string()
    .max(5_000)
    .default('')
    .transform(text => text.split(',').map(name => name.trim()))
    .meta({
      description: 'Names in ORACLE_API_KEYS whose header X-OpenWebUI-User-Id names a user, separated by commas.',
      example: 'open-webui',
    }),
  ...modelEnv,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').meta({
    description: 'The minimum level of log lines.',
    example: 'info',
  }),
  LOG_FORMAT: z.enum(['pretty', 'json']).optional().meta({
    description: 'The format of log lines: readable text or JSON.',
    example: 'json',
    defaultText: 'pretty, in production json',
  }),
  ...telemetryEnv,
  TRACES_KEEP_DAYS: z.coerce.number().int().min(0).max(400).optional().meta({
    description: 'Days for which the timings and counts of turns are stored, without any text; 0 stores none.',
    example: '30',
    defaultText: '7, in production 0',
  }),
  PROMPT_INSPECTION_ENABLED: z.stringbool().optional().meta({
    description: 'Whether users can read the prompts of their own sessions, with the instructions of the oracle.',
    example: 'false',
    defaultText: 'true, in production false',
  }),
  RETENTION_CONVERSATIONS_DAYS: z.coerce.number().int().min(1).max(36_500).optional().meta({
    description:
      'Days after the last activity of a conversation until it is deleted, with its turns, messages, tool calls and approvals.',
    example: '365',
    defaultText: 'until deleted',
  }),
  RETENTION_JOBS_DAYS: z.coerce.number().int().min(1).max(36_500).default(1).meta({
    description: 'Days after which a durable job that is done or cancelled is deleted.',
  }),
  RETENTION_FAILED_JOBS_DAYS: z.coerce.number().int().min(1).max(36_500).optional().meta({
    description:
      'Days after which a `dead` job, whose attempts all failed, is deleted. It cannot be retried after that.',
    example: '90',
    defaultText: 'until retried or cancelled',
  }),
  RETENTION_ARCHIVE_DIR: line(1000).optional().meta({
    description:
      'A folder for conversations and other rows, as NDJSON, before the retention deletes them. It is never emptied.',
    example: '/var/lib/oracle/archive',
    defaultText: 'no archive',
  }),
  RETENTION_ARCHIVE_URL: line(1000).refine(isObjectUrl, 'expected s3://bucket/folder').optional().meta({
    description: 'A folder in an S3-compatible object store for the archive, instead of RETENTION_ARCHIVE_DIR.',
    example: 's3://bucket/archive',
    defaultText: 'the archive is in RETENTION_ARCHIVE_DIR',
  }),
  ...objectStoreVariables,
  TURN_TIME_LIMIT_SECONDS: seconds(3600).default(120).meta({ description: 'Maximum duration of a turn, in seconds.' }),
  TURN_MAX_STEPS: z.coerce.number().int().min(1).max(200).default(20).meta({
    description: 'Maximum steps (model calls) of a turn.',
  }),
  TURN_MAX_TOKENS: z.coerce.number().int().min(1000).max(10_000_000).default(100_000).meta({
    description: 'Maximum tokens of a turn, input and output together.',
  }),
  TOKEN_BUDGET_DID_PER_DAY: tokens.default(10_000_000).meta({
    description: 'Tokens that one DID may use in a UTC day, input and output together; 0 means unlimited.',
    example: '1000000',
  }),
  TOKEN_BUDGET_ORACLE_PER_DAY: tokens.default(200_000_000).meta({
    description: 'Tokens that the whole oracle may use in a UTC day; 0 means unlimited.',
    example: '50000000',
  }),
  CONVERSATIONS_QUOTA_MB: megabytes.default(200).meta({
    description:
      'Most megabytes that one user may store in conversations, stored responses and A2A tasks; 0 means unlimited.',
    example: '200',
  }),
  CONVERSATIONS_TOTAL_MB: megabytes.default(2_000).meta({
    description: 'Most megabytes that all users together may store there; 0 means unlimited.',
    example: '2000',
  }),
  TOOL_TIME_LIMIT_SECONDS: seconds(3600)
    .default(30)
    .meta({ description: 'Maximum duration of a tool call, in seconds.' }),
  CLIENT_TOOL_TIME_LIMIT_SECONDS: seconds(86_400).default(600).meta({
    description:
      'Maximum time for a client to run one of its own tools, in seconds; then the call fails and the turn continues.',
  }),
  HISTORY_MAX_TOKENS: z.coerce.number().int().min(500).max(2_000_000).default(24_000).meta({
    description: 'Tokens of earlier messages that are sent to the model.',
  }),
  ...limitsEnv,
})

type ParsedCoreEnv = z.output<typeof coreEnvSchema>

/** The settings of core, complete. */
export interface CoreEnv extends ParsedCoreEnv {
  readonly HOST: string
  readonly ORACLE_ACCESS: 'open' | 'delegated'
  readonly LOG_FORMAT: 'pretty' | 'json'
  readonly TRACES_KEEP_DAYS: number
  readonly PROMPT_INSPECTION_ENABLED: boolean
}

/** Sets the defaults that depend on NODE_ENV. */
export const completeCoreEnv = (parsed: ParsedCoreEnv): CoreEnv => {
  const production = parsed.NODE_ENV === 'production'
  return {
    ...parsed,
    HOST: parsed.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    ORACLE_ACCESS: parsed.ORACLE_ACCESS ?? (production ? 'delegated' : 'open'),
    LOG_FORMAT: parsed.LOG_FORMAT ?? (production ? 'json' : 'pretty'),
    TRACES_KEEP_DAYS: parsed.TRACES_KEEP_DAYS ?? (production ? 0 : 7),
    PROMPT_INSPECTION_ENABLED: parsed.PROMPT_INSPECTION_ENABLED ?? !production,
  }
}

/** Returns the database for a command, which reads and writes in sessions that a pooler of transactions would share. */
export const commandDatabaseUrl = ({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
}: Pick<CoreEnv, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string =>
  (DATABASE_URL.startsWith('postgres') && DATABASE_DIRECT_URL) || DATABASE_URL

/** The most bytes of the files that one message brings, and of those that one turn gives to the model. */
export const maxAttachmentBytes = ({ MAX_ATTACHMENT_MB }: { readonly MAX_ATTACHMENT_MB: number }): number =>
  MAX_ATTACHMENT_MB * 1_000_000

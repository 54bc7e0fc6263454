import { z } from 'zod'
import { line } from './env-fields.ts'

/** The variables of the retention of data. */
export const retentionEnv = {
  RETENTION_CONVERSATIONS_DAYS: z.coerce.number().int().min(1).max(36_500).optional().meta({
    description:
      'Days after the last activity of a conversation until it is deleted, with its turns, messages, tool calls and approvals.',
    example: '365',
    defaultText: 'until deleted',
  }),
  RETENTION_ARCHIVE_DIR: line(1000).optional().meta({
    description:
      'A folder for conversations and other rows, as NDJSON, before the retention deletes them. It is never emptied.',
    example: '/var/lib/oracle/archive',
    defaultText: 'no archive',
  }),
}

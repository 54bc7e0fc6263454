import { z } from 'zod'

/** The variables about what an oracle shows of its own work. */
export const inspectionEnv = {
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
}

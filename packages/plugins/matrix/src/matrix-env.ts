import { z } from 'zod'

/** The variables of the plugin. */
export const matrixEnv = z.object({
  MATRIX_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'The Matrix homeserver of the messaging bot. Blank switches the plugin off.',
      example: 'https://matrix.example.org',
    }),
})

/** What they say. */
export type MatrixEnv = z.output<typeof matrixEnv>

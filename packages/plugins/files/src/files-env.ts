import { z } from 'zod'

/** The variables of the plugin. */
export const filesEnv = z.object({
  FILES_DIR: z
    .string()
    .default('./.data/files')
    .meta({ description: 'The folder in which files are kept.', example: './.data/files' }),
  FILES_QUOTA_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(100)
    .meta({ description: 'Most megabytes that one person may keep.', example: '100' }),
})

/** What they say. */
export type FilesEnv = z.output<typeof filesEnv>

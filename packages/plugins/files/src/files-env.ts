import { z } from 'zod'

const megabytes = (most: number) => z.coerce.number().int().min(1).max(most)

export const filesEnv = z.object({
  FILES_DIR: z.string().trim().min(1).default('./.data/files').meta({
    description:
      'The folder in which files are kept, made when the first one is, and on PostgreSQL at the first start. An oracle that may not write to it does not start. Where several oracle processes share a PostgreSQL database, they must share this folder too; one with another folder does not start.',
    example: './.data/files',
  }),
  FILES_QUOTA_MB: megabytes(1_000_000).default(100).meta({
    description: 'Most megabytes that one person may keep, old versions included.',
    example: '100',
  }),
  FILES_TOTAL_MB: megabytes(1_000_000_000).default(20_000).meta({
    description: 'Most megabytes that all persons together may keep, old versions included.',
    example: '20000',
  }),
  FILES_MIN_FREE_MB: z.coerce.number().int().min(0).max(1_000_000_000).default(1_000).meta({
    description: 'Megabytes of the disk of FILES_DIR that stay free: no file is kept below.',
    example: '1000',
  }),
  FILES_MAX_FILE_MB: megabytes(1_000).default(25).meta({
    description: 'The largest file, in megabytes.',
    example: '25',
  }),
  FILES_VERSION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30).meta({
    description: 'How many days overwritten and deleted files can be brought back; 0 keeps none.',
    example: '30',
  }),
})

export type FilesEnv = z.output<typeof filesEnv>

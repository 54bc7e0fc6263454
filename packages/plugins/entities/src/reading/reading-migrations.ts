import type { Migrations } from '@sibyl/core/storage'

/** The tables of this room, under `0003-…`. */
export const readingMigrations: Migrations = {}

import type { Migrations } from '@sibyl/plugin/storage'

/** The plugin's table. */
export const preferencesMigrations: Migrations = {
  '0001-people': async (db, { text }) => {
    await db.schema
      .createTable('user_preferences_people')
      .addColumn('did', text, column => column.primaryKey())
      .addColumn('language', text)
      .addColumn('units', text)
      .addColumn('tone', text)
      .addColumn('time_zone', text)
      .addColumn('name', text)
      .execute()
  },
}

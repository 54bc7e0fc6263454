export { userPreferences } from './user-preferences.ts'

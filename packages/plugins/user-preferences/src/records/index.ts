export { preferencesRecord } from '../preferences/preference-fields.ts'

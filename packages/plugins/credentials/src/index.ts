export { credentials } from './credentials.ts'

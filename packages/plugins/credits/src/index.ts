export { credits } from './credits.ts'

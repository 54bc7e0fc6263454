export { codeRecord } from './code-record.ts'

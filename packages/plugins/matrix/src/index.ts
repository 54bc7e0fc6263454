export { matrix } from './matrix.ts'

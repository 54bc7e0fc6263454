export { claims } from './claims.ts'

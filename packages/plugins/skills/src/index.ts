export { skills } from './skills.ts'

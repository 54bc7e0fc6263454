export type { PackageSource } from './package-source.ts'
export type { ProjectFacts, ProjectFile } from './project-facts.ts'
export { imageVersions } from './render/render-container.ts'
export { renderProject } from './render-project.ts'
export {
  type PackageManager,
  packageManagers,
  type ScaffoldAnswers,
  type TemplateName,
  templateNames,
} from './scaffold-answers.ts'

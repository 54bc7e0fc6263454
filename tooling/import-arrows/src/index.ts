export { allowedImports, groupOfFolder, type PackageGroup } from './allowed-imports.ts'

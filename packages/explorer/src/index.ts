export { explorerRoutes } from './explorer-routes.ts'

import { fileURLToPath } from 'node:url'
import { defineConfig, loadEnv } from 'vite'

const project = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig(({ mode }) => {
  const { PORT = '3000' } = loadEnv(mode, project, 'PORT')
  return {
    // Another place, such as a static host: vite build web --base ./
    base: '/app/',
    envDir: project,
    build: { assetsDir: '', assetsInlineLimit: 0, emptyOutDir: true },
    // The script page:dev: everything but the page goes to the oracle.
    server: { proxy: { '^/(?!app(/|$))': { target: `http://127.0.0.1:${PORT}`, changeOrigin: true } } },
  }
})

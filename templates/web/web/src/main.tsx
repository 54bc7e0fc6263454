import { createRoot } from 'react-dom/client'
import { config } from 'zod'
import { App } from './app.tsx'

// The page's policy allows no code that is compiled at run time.
config({ jitless: true })

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)

// The entry point. Vite builds it to /service-worker.js; see vite.config.ts.
import './push.ts'
import './shell.ts'

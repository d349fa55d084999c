import { type Config, ConfigError, readConfig } from './config.ts'
import { CannotStart } from './platform/process/data-dir.ts'
import { StorageFault } from './platform/storage/storage-fault.ts'

type Settings = Pick<Config, 'port' | 'host' | 'metricsPort' | 'dataDir' | 'databaseUrl'>

interface SystemFault extends Error {
  code?: string
  syscall?: string
  path?: string
  port?: number
  hostname?: string
  severity?: string
}

const noRoom = new Set(['ENOSPC', 'EDQUOT'])
const noFolder = new Set(['ENOTDIR', 'EEXIST'])

function listeningFault({ code, syscall, port, hostname }: SystemFault, settings: Settings): string | undefined {
  const isHost = syscall === 'getaddrinfo' && hostname === settings.host
  if (isHost || (syscall === 'listen' && code === 'EADDRNOTAVAIL'))
    return `HOST: ${settings.host} is not an address of this machine`
  if (syscall !== 'listen') return undefined
  const name = port === settings.metricsPort ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE') return `${name}: ${port} is in use; stop what uses it or set another ${name}`
  if (code === 'EACCES') return `${name}: this user may not open port ${port}; set another ${name}`
  return undefined
}

function folderFault({ code = '', path }: SystemFault, { dataDir }: Settings): string | undefined {
  if (!path?.startsWith(dataDir)) return undefined
  if (noRoom.has(code)) return `DATA_DIR: there is no space left for ${path}`
  if (noFolder.has(code)) return `DATA_DIR: ${path} is not a folder; set DATA_DIR to a folder`
  return `DATA_DIR: ${path} cannot be written by this user (${code}); make it writable or set another DATA_DIR`
}

const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/

function databaseFault({ code = '', severity, message }: SystemFault, { databaseUrl }: Settings): string | undefined {
  if (!databaseUrl) return undefined
  if (unreachable.test(code)) return `DATABASE_URL: the database cannot be reached (${code})`
  const isOfConnecting = severity !== undefined || /^(SELF_SIGNED|DEPTH_ZERO|CERT_|UNABLE_TO)|ECONNRESET/.test(code)
  return isOfConnecting || /password|SSL|timeout|terminated/.test(message) ? `DATABASE_URL: ${message}` : undefined
}

export function reasonsOf(error: unknown, settings: Settings | undefined): string[] {
  if (error instanceof ConfigError) return error.lines
  const fault = error as SystemFault
  if (error instanceof CannotStart || error instanceof StorageFault || !settings) return [fault.message]
  return [
    listeningFault(fault, settings) ??
      folderFault(fault, settings) ??
      databaseFault(fault, settings) ??
      (fault.message || String(fault.code)),
  ]
}

export function reasonsOfCommand(error: unknown): string[] {
  return reasonsOf(error, error instanceof ConfigError ? undefined : readConfig(process.env))
}

import { z } from 'zod'
import {
  backupPlace,
  domain,
  emailAddress,
  hosts,
  issuer,
  mailFrom,
  mailUrl,
  oneOf,
  optional,
  port,
  providerName,
  proxies,
  publicUrl,
  pushContact,
  redisUrl,
  scale,
  secretKey,
  storageUrl,
  url,
} from './config-values.ts'

const onOff = oneOf('on', 'off')
const postgres = url('postgres:', 'postgresql:')
const setting = <S extends z.ZodType>(schema: S, text: string) => optional(schema).describe(text)

export const Environment = z.object({
  NODE_ENV: setting(
    z.string(),
    '`production` for real people: refuses a missing or weak `SECRET_KEY` and warns about other unsafe settings. Anything else is a trial. [Checklist](operators.md#production-checklist)',
  ),
  PUBLIC_URL: setting(publicUrl, 'The address people open, without a path. Default: `http://localhost:PORT`.'),
  SECRET_KEY: setting(
    secretKey,
    'Signs and seals; at least 32 bytes, `openssl rand -base64 48`. Required in production. Default: a random key stored in `DATA_DIR`.',
  ),
  SECRET_KEY_PREVIOUS: setting(
    secretKey,
    'The key before it, during a [rotation](operators.md#key-rotation-secret_key).',
  ),
  DATA_DIR: setting(z.string(), 'The folder for everything Duet stores. Default: `./data`.'),
  PORT: setting(port, 'The port Duet listens on. Default: 3000.'),
  HOST: setting(z.string(), 'The address Duet listens on. Default: `127.0.0.1`.'),
  TRUST_PROXY: setting(
    proxies,
    'The number of proxies in front, or their addresses. Default: none; clients connect directly.',
  ),
  SUPER_ADMIN_EMAIL: setting(emailAddress, 'The account with this address becomes a super administrator.'),
  MAIL_URL: setting(
    mailUrl,
    '`smtp://USER:PASSWORD@HOST:587` or `smtps://…:465`. Default: emails become files in `DATA_DIR/outbox`. [Email](operators.md#email)',
  ),
  MAIL_FROM: setting(mailFrom, 'The sender of emails, `Duet <duet@example.org>`.'),
  MAIL_DKIM_DOMAIN: setting(
    domain,
    'Duet signs emails for this domain; needs the next two variables and `MAIL_URL`. Default: Duet signs nothing.',
  ),
  MAIL_DKIM_SELECTOR: setting(domain, 'The selector of the DKIM record.'),
  MAIL_DKIM_KEY_FILE: setting(z.string(), 'The file with the private DKIM key.'),
  BACKUP_TO: setting(
    backupPlace,
    'A folder or `s3://…` for an encrypted [backup every night](operators.md#backup). Default: no automatic backups.',
  ),
  BACKUP_PASSPHRASE: setting(z.string(), 'Encrypts backups; at least 12 characters with `BACKUP_TO`.'),
  DATABASE_URL: setting(
    postgres,
    '[Your own PostgreSQL](operators.md#external-services). Default: the embedded one in `DATA_DIR/postgres`.',
  ),
  DATABASE_DIRECT_URL: setting(
    postgres,
    "The owner's address, past a pooler; `DATABASE_URL` is then [the application's login](operators.md#a-login-for-the-application-and-pgbouncer).",
  ),
  DATABASE_READ_URL: setting(
    postgres,
    '[Read replicas](scaling.md#steps) of `DATABASE_URL`, which searches ask. Default: the primary answers them.',
  ),
  DATABASE_PREPARE: setting(onOff, "`off` for poolers that can't keep prepared statements. Default: `on`."),
  REDIS_URL: setting(
    redisUrl,
    '`redis://HOST`, or `redis://NAME?sentinels=HOST:26379,HOST:26379` for Redis Sentinel. Lets several nodes work together. Default: one node. [Scaling](scaling.md)',
  ),
  ROLE: setting(
    oneOf('all', 'web', 'worker'),
    '`web` answers people and runs no jobs; `worker` runs jobs and answers health checks only. Both need `DATABASE_URL` and `REDIS_URL`. Default: `all`.',
  ),
  STORAGE_URL: setting(
    storageUrl,
    '`s3://BUCKET?endpoint=…&region=…` for photos and files. Default: `DATA_DIR/media`. [Keys](operators.md#external-services)',
  ),
  FILES_BY_PROXY: setting(
    onOff,
    '`on` lets [nginx send photos](operators.md#photos-by-the-proxy); needs `TRUST_PROXY`. Default: `off`.',
  ),
  PUSH: setting(onOff, '`off` disables [push notifications](operators.md#push-notifications). Default: `on`.'),
  PUSH_CONTACT: setting(
    pushContact,
    'How push services reach you: `mailto:` or `https:`. Default: the address in `MAIL_FROM`.',
  ),
  PUSH_HOSTS: setting(
    hosts,
    'The only push services to call, separated by commas; `*.` matches subdomains. Default: every public host.',
  ),
  OIDC_ISSUER: setting(
    issuer,
    'The [sign-in provider](operators.md#sign-in-with-another-provider); needs the next three variables and `PUBLIC_URL`. Default: none.',
  ),
  OIDC_CLIENT_ID: setting(z.string(), 'The client id Duet has at the provider.'),
  OIDC_CLIENT_SECRET: setting(z.string(), 'The secret of that client.'),
  OIDC_NAME: setting(providerName, 'The name on the button “Sign in with …”, up to 40 characters.'),
  CHAT_POLICY: setting(oneOf('open', 'matches'), '`matches` lets only matches write to each other. Default: `open`.'),
  PHOTO_REVIEW: setting(oneOf('after', 'before'), '`before` hides a photo until it is approved. Default: `after`.'),
  ADMIN_SECOND_FACTOR: setting(
    oneOf('required', 'optional'),
    '`optional` asks only administrators who have set one up. Default: `required` in production, else `optional`.',
  ),
  RATE_LIMIT_SCALE: setting(scale, 'Multiplies all rate limits. Default: 1.'),
  DEMO: setting(
    onOff,
    'The demo world. Default: `on` without `DATABASE_URL`, outside production, while only this machine can reach Duet (`HOST`, `PUBLIC_URL`); else `off`.',
  ),
  LOG_LEVEL: setting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'The least severe lines to log; `debug` logs every request. Default: `info`.',
  ),
  METRICS_PORT: setting(port, 'Serves [metrics](operators.md#metrics-and-alerts) for Prometheus. Default: off.'),
  METRICS_HOST: setting(z.string(), 'The address metrics are served on. Default: `127.0.0.1`.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url('http:', 'https:'),
    'The OpenTelemetry collector that receives [traces](operators.md#traces). Default: none.',
  ),
})

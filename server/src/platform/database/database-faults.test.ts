import { expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { toAppError } from '../http/problems.ts'
import { StorageFault } from '../storage/storage-fault.ts'
import { passingFault } from './database-faults.ts'

const fault = (code: string | undefined, message = '', more = {}) =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more)

it.each([
  [
    'a switchover that left us connected to a replica',
    fault('25006', 'cannot execute UPDATE in a read-only transaction'),
  ],
  ['a query that only a primary answers', fault('55000', 'recovery is in progress')],
  ['a broken connection', fault('08006')],
  ['a connection that could not be made', fault('08001')],
  ['a restart', fault('57P01', 'terminating connection due to administrator command')],
  ['a crash', fault('57P02')],
  ['a start', fault('57P03', 'the database system is starting up')],
  ['no connection left', fault('53300')],
  ['no disk left', fault('53100')],
  ['a statement that timed out', fault('57014')],
  ['a transaction that was idle too long', fault('25P03')],
  ['an exhausted pool', fault(undefined, 'timeout exceeded when trying to connect')],
  ['a connection that ended during a query', fault(undefined, 'Connection terminated unexpectedly')],
  ['a connection that could not be made in time', fault(undefined, 'Connection terminated due to connection timeout')],
  [
    'a connection that broke earlier',
    fault(undefined, 'Client has encountered a connection error and is not queryable'),
  ],
  ['a query without a reply', fault(undefined, 'Query read timeout')],
  ['a reset', fault('ECONNRESET', 'read ECONNRESET')],
  ['no one listening', fault('ECONNREFUSED')],
  ['no socket file', fault('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', { syscall: 'connect' })],
])('A response to %s is 503 unavailable', (_, error) => {
  expect([toAppError(error).status, toAppError(error).code]).toEqual([503, 'unavailable'])
})

it.each([
  ['a deadlock', fault('40P01')],
  ['a conflict with a replica', fault('40001')],
  ['a lock timeout', fault('55P03')],
  ['a statement prepared before a migration', fault('0A000', 'cached plan must not change result type')],
])('A response to %s is 503 retry', (_, error) => {
  expect([toAppError(error).status, toAppError(error).code]).toEqual([503, 'retry'])
})

it.each([
  ['a file that is missing', fault('ENOENT', 'no such file', { syscall: 'open' })],
  ['a syntax error', fault('42601')],
  ['an unsupported feature', fault('0A000', 'not supported')],
  ['a missing privilege', fault('42501')],
  ['one of our own problems', new AppError('not_found', "There's nothing here.")],
  ['a thrown value that is no error', undefined],
])('The error for %s does not count as temporary', (_, error) => {
  expect(passingFault(error)).toBeUndefined()
})

it.each([
  ['an unreachable file store', new StorageFault('it is away', { cause: fault('ECONNREFUSED') }), /^Photos and files/],
  ['a database with a full disk', fault('53100'), /^The server has no space left/],
  ['a full disk', fault('ENOSPC', 'write', { syscall: 'write' }), /^The server has no space left/],
  ['an exhausted disk quota', fault('EDQUOT', 'write', { syscall: 'write' }), /^The server has no space left/],
  ['a read-only disk', fault('EROFS', 'open', { syscall: 'open' }), /^The server can't write to its disk/],
  ['a failing disk', fault('EIO', 'write', { syscall: 'write' }), /^The server can't write to its disk/],
  ['a connection error of the database', fault('08006'), /^The database/],
  ['an unknown server', fault('ECONNREFUSED'), /^A server that Duet needs/],
])('The problem for %s names the right cause', (_, error, words) => {
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(words) })
})

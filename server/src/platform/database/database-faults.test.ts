import { expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { toAppError } from '../http/problems.ts'
import { StorageFault } from '../storage/storage-fault.ts'
import { passingFault } from './database-faults.ts'

const fault = (code: string | undefined, message = '', more = {}) =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more)

it.each([
  ['a switchover that left us at a replica', fault('25006', 'cannot execute UPDATE in a read-only transaction')],
  ['a question that only a primary answers', fault('55000', 'recovery is in progress')],
  ['a broken connection', fault('08006')],
  ['a connection that could not be made', fault('08001')],
  ['a restart', fault('57P01', 'terminating connection due to administrator command')],
  ['a crash', fault('57P02')],
  ['a start', fault('57P03', 'the database system is starting up')],
  ['no connection left', fault('53300')],
  ['no disk left', fault('53100')],
  ['a statement that took too long', fault('57014')],
  ['a transaction that stood idle', fault('25P03')],
  ['an exhausted pool', fault(undefined, 'timeout exceeded when trying to connect')],
  ['a connection that ended while it was asked', fault(undefined, 'Connection terminated unexpectedly')],
  ['a connection that could not be made in time', fault(undefined, 'Connection terminated due to connection timeout')],
  [
    'a connection that broke earlier',
    fault(undefined, 'Client has encountered a connection error and is not queryable'),
  ],
  ['an answer that never came', fault(undefined, 'Query read timeout')],
  ['a reset', fault('ECONNRESET', 'read ECONNRESET')],
  ['no one listening', fault('ECONNREFUSED')],
  ['no socket file', fault('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432', { syscall: 'connect' })],
])('%s is answered 503 unavailable', (_, error) => {
  expect([toAppError(error).status, toAppError(error).code]).toEqual([503, 'unavailable'])
})

it.each([
  ['a deadlock', fault('40P01')],
  ['a conflict with a replica', fault('40001')],
  ['a lock that did not come', fault('55P03')],
  ['a statement prepared before a migration', fault('0A000', 'cached plan must not change result type')],
])('%s is answered 503 retry', (_, error) => {
  expect([toAppError(error).status, toAppError(error).code]).toEqual([503, 'retry'])
})

it.each([
  ['a file that is missing', fault('ENOENT', 'no such file', { syscall: 'open' })],
  ['a statement that is wrong', fault('42601')],
  ['a feature that is not there', fault('0A000', 'not supported')],
  ['a right that is missing', fault('42501')],
  ['an answer of ours', new AppError('not_found', "There's nothing here.")],
  ['something thrown that is no error', undefined],
])('%s is not taken for one that passes', (_, error) => {
  expect(passingFault(error)).toBeUndefined()
})

it.each([
  ['a store that is away', new StorageFault('it is away', { cause: fault('ECONNREFUSED') }), /^Photos and files/],
  ['a database whose disk is full', fault('53100'), /^The server has no space left/],
  ['a disk of ours that is full', fault('ENOSPC', 'write', { syscall: 'write' }), /^The server has no space left/],
  [
    'a disk quota of ours that is used up',
    fault('EDQUOT', 'write', { syscall: 'write' }),
    /^The server has no space left/,
  ],
  ['a disk that is read-only', fault('EROFS', 'open', { syscall: 'open' }), /^The server can't write to its disk/],
  ['a disk that fails', fault('EIO', 'write', { syscall: 'write' }), /^The server can't write to its disk/],
  ['a database that says so itself', fault('08006'), /^The database/],
  ['a server of which nothing else is known', fault('ECONNREFUSED'), /^A server that Duet needs/],
])('of %s, the answer blames no other', (_, error, words) => {
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(words) })
})

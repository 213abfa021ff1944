//! Name resolution. That a connection error belongs to the lookup of a name (`lookup X on S: read udp ..`) is decided
//! by the chain around it, in `decide`.

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::fact(&["no such host"], DnsNotFound),
    Row::fact(&["no address associated with hostname"], DnsNotFound),
    Row::fact(&["name or service not known"], DnsNotFound),
    Row::fact(&["nodename nor servname"], DnsNotFound),
    Row::fact(&["could not resolve host"], DnsNotFound),
    Row::fact(&["no suitable address found"], DnsNotFound),
    Row::fact(&["NXDOMAIN|"], DnsNotFound),
    Row::fact(&["name does not resolve"], DnsNotFound),
    Row::fact(&["dns name does not exist"], DnsNotFound),
    Row::fact(&["ENOTFOUND|"], DnsNotFound),
    Row::fact(&["server misbehaving"], DnsServerFailure),
    Row::fact(&["SERVFAIL|"], DnsServerFailure),
    Row::fact(&["temporary failure in name resolution"], DnsServerFailure).also(&[DnsTimeout]),
    Row::fact(&["EAI_AGAIN|"], DnsServerFailure).also(&[DnsTimeout]),
    Row::fact(&["cannot unmarshal dns message"], DnsServerFailure),
    Row::fact(&["invalid domain name", "lookup "], DnsNotFound).also(&[ReferenceInvalid]),
];

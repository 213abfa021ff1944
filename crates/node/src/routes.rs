//! The kernel's routes, as far as they matter to pulls: the default ones, and the way to each address that is asked.
//! Source: `/proc/net/route` and `ipv6_route`, proc(5).

use crate::tree::HostTree;
use report::node::Route;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// No table has more lines that are read: a node of a large cluster has one for each of its pods.
const MOST: usize = 100_000;
/// `RTF_UP` and `RTF_REJECT` of linux/route.h.
const UP: u32 = 0x1;
const REJECT: u32 = 0x200;

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    to: IpAddr,
    length: u32,
    gateway: Option<IpAddr>,
    device: String,
    metric: u32,
    rejects: bool,
}

/// The tables of both families. Policy routing (`ip rule`) is not in them.
pub struct Table(Vec<Line>);

impl Table {
    /// The node's.
    pub fn read(tree: &HostTree) -> Self {
        Self::parse(
            &tree.text("/proc/net/route").unwrap_or_default(),
            &tree.text("/proc/net/ipv6_route").unwrap_or_default(),
        )
    }

    fn parse(v4: &str, v6: &str) -> Self {
        let of_v4 = v4.lines().skip(1).take(MOST).filter_map(v4_line);
        Self(of_v4.chain(v6.lines().take(MOST).filter_map(v6_line)).collect())
    }

    /// Whether no table could be read.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Default routes, `via GATEWAY dev DEVICE`.
    pub fn defaults(&self) -> Vec<String> {
        let default = |l: &&Line| l.length == 0 && !l.rejects && (l.gateway.is_some() || l.to.is_ipv4());
        self.0.iter().filter(default).map(Line::word).take(16).collect()
    }

    /// The way to an address: by the longest prefix, then the lowest metric.
    pub fn to(&self, address: IpAddr) -> Route {
        let best =
            self.0.iter().filter(|l| l.covers(address)).max_by_key(|l| (l.length, u32::MAX - l.metric));
        Route { to: address.to_string(), way: best.map_or_else(|| "none".to_owned(), Line::word) }
    }
}

impl Line {
    fn word(&self) -> String {
        match self.gateway {
            _ if self.rejects => "unreachable".to_owned(),
            Some(gateway) => format!("via {gateway} dev {}", self.device),
            None => format!("dev {}", self.device),
        }
    }

    fn covers(&self, address: IpAddr) -> bool {
        let bits = |a: IpAddr| match a {
            IpAddr::V4(a) => u128::from(u32::from(a)) << 96,
            IpAddr::V6(a) => u128::from(a),
        };
        let mask = u128::MAX.checked_shl(128 - self.length).unwrap_or(0);
        self.to.is_ipv4() == address.is_ipv4() && bits(self.to) & mask == bits(address) & mask
    }
}

fn v4_line(line: &str) -> Option<Line> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[device, to, gateway, flags, _, _, metric, mask, ..] = words.as_slice() else { return None };
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let address = |text: &str| Some(Ipv4Addr::from(number(text)?.swap_bytes()));
    let flags = number(flags)?;
    let gateway = address(gateway).filter(|g| !g.is_unspecified()).map(IpAddr::from);
    (flags & UP != 0).then_some(Line {
        to: address(to)?.into(),
        length: number(mask)?.count_ones(),
        gateway,
        device: device.to_owned(),
        metric: metric.parse().ok()?,
        rejects: flags & REJECT != 0,
    })
}

fn v6_line(line: &str) -> Option<Line> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[to, length, _, _, gateway, metric, _, _, flags, device] = words.as_slice() else { return None };
    let address = |text: &str| Some(Ipv6Addr::from(u128::from_str_radix(text, 16).ok()?));
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    let flags = number(flags)?;
    let gateway = address(gateway).filter(|g| !g.is_unspecified()).map(IpAddr::from);
    (flags & UP != 0).then_some(Line {
        to: address(to)?.into(),
        length: number(length)?.min(128),
        gateway,
        device: device.to_owned(),
        metric: number(metric)?,
        rejects: flags & REJECT != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const V4: &str = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t0100630A\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth1\t00000000\t0200630A\t0003\t0\t0\t50\t00000000\t0\t0\t0
eth0\t0000630A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
*\t050200C0\t00000000\t0201\t0\t0\t0\tFFFFFFFF\t0\t0\t0";
    const V6: &str = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 eth0
20010db8000000000000000000000000 20 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001 eth1
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200 lo";

    fn to(address: &str) -> String {
        Table::parse(V4, V6).to(address.parse().unwrap()).way
    }

    #[test]
    fn the_longest_prefix_counts_then_the_lowest_metric() {
        assert_eq!(to("10.99.0.7"), "dev eth0");
        assert_eq!(to("198.51.100.1"), "via 10.99.0.2 dev eth1");
        assert_eq!(to("192.0.2.5"), "unreachable");
        assert_eq!(to("2001:db8::1"), "dev eth1");
        assert_eq!(to("2001:db9::1"), "via fe80::1 dev eth0");
        assert_eq!(Table::parse("", "x").to("192.0.2.1".parse().unwrap()).way, "none");
    }

    #[test]
    fn default_routes_of_both_families() {
        let defaults = ["via 10.99.0.1 dev eth0", "via 10.99.0.2 dev eth1", "via fe80::1 dev eth0"];
        assert_eq!(Table::parse(V4, V6).defaults(), defaults);
    }
}

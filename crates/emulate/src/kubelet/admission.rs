//! What ServiceAccount admission makes of a pod's pull secrets. Follows kubernetes
//! `plugin/pkg/admission/serviceaccount/admission.go` (`Admit`), 1.25 to 1.36.

/// The list that a pod gets when it is created: its own, or the account's where its own is empty. Never a mixture, and
/// never again after creation; pods that the kubelet makes from files are left alone.
pub fn pull_secrets<'s>(pods_own: &'s [String], accounts: &'s [String], is_static: bool) -> &'s [String] {
    if is_static || !pods_own.is_empty() { pods_own } else { accounts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accounts_list_counts_only_where_the_pod_has_none() {
        let (own, account) = (vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]);
        assert_eq!(pull_secrets(&own, &account, false), ["a"]);
        assert_eq!(pull_secrets(&[], &account, false), ["b", "c"]);
        assert!(pull_secrets(&[], &account, true).is_empty());
    }
}

package special

import (
	"net/netip"
	"sync"

	"errand/planner/message"
)

// cloudBlocks has the addresses of the metadata and platform services of clouds, each
// with its cloud: what answers there trusts every program of the machine. Some of them
// look public. Those at 169.254.169.254 and its neighbours are link-local.
//
// Origin: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16,
// alibabacloud.com/help/ecs/user-guide/view-instance-metadata,
// docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm and its page of the
// classic cloud, docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html,
// cloud.google.com/compute/docs/metadata/querying-metadata,
// scaleway.com/en/docs/instances/how-to/use-instance-metadata,
// techdocs.akamai.com/cloud-computing/docs/overview-of-the-metadata-service,
// docs.openstack.org/nova/latest/user/metadata.html,
// cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc.
var cloudBlocks = sync.OnceValue(func() []block {
	return blocks(
		"168.63.129.16/32", "Azure",
		"100.100.100.200/32", "Alibaba Cloud",
		"192.0.0.192/32", "Oracle Cloud",
		"fd00:c1::a9fe:a9fe/128", "Oracle Cloud",
		"fd00:ec2::/32", "AWS",
		"fd20:ce::254/128", "Google Cloud",
		"fd00:42::42/128", "Scaleway",
		"fd00:a9fe:a9fe::1/128", "Akamai Cloud",
		"fe80::a9fe:a9fe/128", "OpenStack",
		"161.26.0.0/16", "IBM Cloud",
		"166.8.0.0/14", "IBM Cloud",
	)
})

// nameCloud returns the name of the cloud whose services have an address.
func nameCloud(a netip.Addr) (name message.Message, found bool) {
	for _, b := range cloudBlocks() {
		if b.prefix.Contains(a) {
			return message.New("policy.block_cloud", "cloud", b.name), true
		}
	}
	return message.Message{}, false
}
